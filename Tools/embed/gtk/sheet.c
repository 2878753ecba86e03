/* A bottom sheet on libadwaita: AdwSwipeTracker decides where a swipe ends, and AdwSpringAnimation moves it there.
 * The lines marked "recorder" record it into the file that the first argument names; without them it is the same app.
 *
 *   cc sheet.c $(pkg-config --cflags --libs libadwaita-1 kymograph) -o sheet
 *   ./sheet sheet.kymo
 *
 * DAMPING_RATIO, MASS and STIFFNESS in the environment are those of the spring, OPEN=1 begins with an open sheet, SESSION
 * is the session's name, and STEADY=1 keeps the frames coming, for tests.
 */
#include <adwaita.h>
#include "example.h"
#include "kymograph_gtk.h" // recorder

static const int peek = 80, top = 120, travel = 440; /* pixels: seen of the closed sheet, above the open one, between */

#define TYPE_SHEET (sheet_get_type())
G_DECLARE_FINAL_TYPE(Sheet, sheet, EXAMPLE, SHEET, GtkWidget)
struct _Sheet {
  GtkWidget parent_instance;
  GtkWidget *card;
  AdwSwipeTracker *tracker;
  AdwAnimation *settle;
  double progress;   /* 0: closed, 1: open */
  gboolean was_open; /* where it rested last */
  KymographGtk *recording; // recorder
};
static void sheet_swipeable(AdwSwipeableInterface *iface);
G_DEFINE_FINAL_TYPE_WITH_CODE(Sheet, sheet, GTK_TYPE_WIDGET,
                              G_IMPLEMENT_INTERFACE(ADW_TYPE_SWIPEABLE, sheet_swipeable))

static const char *path = "sheet.kymo";

/* MARK: AdwSwipeable */

static double get_distance(AdwSwipeable *sheet) { return (void)sheet, travel; }
static double *get_snap_points(AdwSwipeable *sheet, int *count) {
  (void)sheet;
  double *points = g_new0(double, *count = 2);
  points[1] = 1;
  return points;
}
static double get_progress(AdwSwipeable *sheet) { return EXAMPLE_SHEET(sheet)->progress; }
static double get_cancel_progress(AdwSwipeable *sheet) { return EXAMPLE_SHEET(sheet)->was_open; }
static void sheet_swipeable(AdwSwipeableInterface *iface) {
  iface->get_distance = get_distance;
  iface->get_snap_points = get_snap_points;
  iface->get_progress = get_progress;
  iface->get_cancel_progress = get_cancel_progress;
}

/* MARK: A swipe and its settle */

static void set_progress(double progress, gpointer data) {
  Sheet *self = data;
  self->progress = progress;
  kymograph_gtk_progress(self->recording, progress); // recorder
  gtk_widget_queue_allocate(GTK_WIDGET(self));
}

static void begin(AdwSwipeTracker *tracker, Sheet *self) {
  (void)tracker;
  adw_animation_pause(self->settle);
  const char *states[] = {"closed", "open"}; // recorder
  kymograph_gtk_start(self->recording, states[self->was_open], states[!self->was_open], self->progress); // recorder
}

static void update(AdwSwipeTracker *tracker, double progress, Sheet *self) {
  (void)tracker;
  set_progress(progress, self);
}

static void end(AdwSwipeTracker *tracker, double velocity, double to, Sheet *self) {
  (void)tracker;
  kymograph_gtk_release(self->recording, to == self->was_open ? KYMOGRAPH_CANCEL : KYMOGRAPH_FINISH); // recorder
  g_print("end-swipe %.17g %g\n", velocity, to);
  /* The tracker of libadwaita 1.2 gives pixels per millisecond, the animation takes progress per second. */
  AdwSpringAnimation *settle = ADW_SPRING_ANIMATION(self->settle);
  adw_spring_animation_set_value_from(settle, self->progress);
  adw_spring_animation_set_value_to(settle, to);
  adw_spring_animation_set_initial_velocity(settle, velocity * 1000 / travel);
  adw_animation_play(self->settle);
}

static void done(AdwAnimation *settle, Sheet *self) {
  (void)settle;
  gboolean is_open = self->progress >= 0.5;
  kymograph_gtk_complete(self->recording, is_open != self->was_open); // recorder
  self->was_open = is_open;
  g_print("done %g\n", self->progress);
}

/* MARK: The widget */

static void size_allocate(GtkWidget *widget, int width, int height, int baseline) {
  Sheet *self = EXAMPLE_SHEET(widget);
  (void)baseline;
  graphene_point_t offset = GRAPHENE_POINT_INIT(0, height - peek - self->progress * travel);
  gtk_widget_allocate(self->card, width, peek + travel, -1, gsk_transform_translate(NULL, &offset));
}

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                    int *minimum_baseline, int *natural_baseline) {
  (void)widget, (void)for_size;
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 360 : top + travel + peek;
  *minimum_baseline = *natural_baseline = -1;
}

static void dispose(GObject *object) {
  Sheet *self = EXAMPLE_SHEET(object);
  g_clear_object(&self->tracker);
  g_clear_object(&self->settle);
  g_clear_pointer(&self->card, gtk_widget_unparent);
  G_OBJECT_CLASS(sheet_parent_class)->dispose(object);
}

static void sheet_class_init(SheetClass *class) {
  G_OBJECT_CLASS(class)->dispose = dispose;
  GTK_WIDGET_CLASS(class)->size_allocate = size_allocate;
  GTK_WIDGET_CLASS(class)->measure = measure;
}

static void sheet_init(Sheet *self) {
  self->progress = self->was_open = number("OPEN", 0) > 0;
  self->card = gtk_label_new("Drag me up");
  gtk_widget_add_css_class(self->card, "view");
  gtk_widget_set_parent(self->card, GTK_WIDGET(self));
  self->tracker = adw_swipe_tracker_new(ADW_SWIPEABLE(self));
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self->tracker), GTK_ORIENTATION_VERTICAL);
  adw_swipe_tracker_set_allow_mouse_drag(self->tracker, TRUE);
  g_signal_connect(self->tracker, "begin-swipe", G_CALLBACK(begin), self);
  g_signal_connect(self->tracker, "update-swipe", G_CALLBACK(update), self);
  g_signal_connect(self->tracker, "end-swipe", G_CALLBACK(end), self);
  self->settle = adw_spring_animation_new(
      GTK_WIDGET(self), 0, 1,
      adw_spring_params_new(number("DAMPING_RATIO", 0.8), number("MASS", 0.5), number("STIFFNESS", 300)),
      adw_callback_animation_target_new(set_progress, self, NULL));
  g_signal_connect(self->settle, "done", G_CALLBACK(done), self);
  self->recording = kymograph_gtk_new(GTK_WIDGET(self), path, g_getenv("SESSION"), travel); // recorder
  kymograph_gtk_watch(self->recording, self->card, "card"); // recorder
}

/* MARK: The program */

static gboolean closed(GtkWindow *window, Sheet *sheet) {
  (void)window, (void)sheet;
  kymograph_gtk_finish(sheet->recording); // recorder
  return GDK_EVENT_PROPAGATE;
}

static void activate(GtkApplication *app) {
  GtkWidget *window = gtk_application_window_new(app), *sheet = g_object_new(TYPE_SHEET, NULL);
  gtk_window_set_child(GTK_WINDOW(window), sheet);
  gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
  g_signal_connect(window, "close-request", G_CALLBACK(closed), sheet);
  let_tests_drive(window);
  gtk_window_present(GTK_WINDOW(window));
}

int main(int count, char **words) {
  if (count > 1) path = words[1];
  setvbuf(stdout, NULL, _IOLBF, 0);
  AdwApplication *app = adw_application_new("org.example.Sheet", G_APPLICATION_NON_UNIQUE);
  g_signal_connect(app, "activate", G_CALLBACK(activate), NULL);
  int status = g_application_run(G_APPLICATION(app), 1, words);
  g_object_unref(app);
  return status;
}
