/* A stock AdwCarousel of three pages. The widget decides by itself where a swipe ends, and says so when it has settled.
 * The lines marked "recorder" record it into the file that the first argument names.
 *
 *   cc carousel.c $(pkg-config --cflags --libs libadwaita-1 kymograph) -o carousel
 *   ./carousel carousel.kymo
 *
 * DAMPING_RATIO, MASS and STIFFNESS in the environment are those of the spring, SESSION is the session's name, and
 * STEADY=1 keeps the frames coming, for tests.
 */
#include <adwaita.h>
#include "example.h"
#include "kymograph_gtk.h" // recorder

static const int width = 360, height = 640; /* pixels of a page */
static const char *path = "carousel.kymo";
static KymographGtk *recording; // recorder
static int page = 0; /* where the carousel rested last */

static void moved(AdwCarousel *carousel) { // recorder
  double progress = adw_carousel_get_position(carousel) - page; // recorder
  if (recording->is_down && !recording->is_in_transition) { // recorder
    int next = progress < 0 ? page - 1 : page + 1; // recorder
    const char *names[] = {"none", "page 0", "page 1", "page 2", "none"}; // recorder
    kymograph_gtk_start(recording, names[page + 1], names[next + 1], 0); // recorder
  } // recorder
  if (recording->is_in_transition) kymograph_gtk_progress(recording, fabs(progress)); // recorder
} // recorder

static void settled(AdwCarousel *carousel, unsigned index) {
  (void)carousel;
  kymograph_gtk_complete(recording, (int)index != page); // recorder
  page = index;
  g_print("done %d\n", page);
}

static gboolean closed(GtkWindow *window) {
  (void)window;
  kymograph_gtk_finish(recording); // recorder
  return GDK_EVENT_PROPAGATE;
}

static void activate(GtkApplication *app) {
  GtkWidget *window = gtk_application_window_new(app), *carousel = adw_carousel_new();
  if (g_getenv("STIFFNESS"))
    adw_carousel_set_scroll_params(
        ADW_CAROUSEL(carousel),
        adw_spring_params_new(number("DAMPING_RATIO", 1), number("MASS", 0.5), number("STIFFNESS", 500)));
  recording = kymograph_gtk_new(carousel, path, g_getenv("SESSION"), width); // recorder
  recording->decides_late = TRUE; // recorder
  for (int i = 0; i < 3; i++) {
    g_autofree char *name = g_strdup_printf("page %d", i);
    GtkWidget *label = gtk_label_new(name);
    gtk_widget_set_size_request(label, width, height);
    adw_carousel_append(ADW_CAROUSEL(carousel), label);
    kymograph_gtk_watch(recording, label, name); // recorder
  }
  g_signal_connect(carousel, "notify::position", G_CALLBACK(moved), NULL); // recorder
  g_signal_connect(carousel, "page-changed", G_CALLBACK(settled), NULL);
  gtk_window_set_child(GTK_WINDOW(window), carousel);
  gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
  g_signal_connect(window, "close-request", G_CALLBACK(closed), NULL);
  let_tests_drive(window);
  gtk_window_present(GTK_WINDOW(window));
}

int main(int count, char **words) {
  if (count > 1) path = words[1];
  setvbuf(stdout, NULL, _IOLBF, 0);
  AdwApplication *app = adw_application_new("org.example.Carousel", G_APPLICATION_NON_UNIQUE);
  g_signal_connect(app, "activate", G_CALLBACK(activate), NULL);
  int status = g_application_run(G_APPLICATION(app), 1, words);
  g_object_unref(app);
  return status;
}
