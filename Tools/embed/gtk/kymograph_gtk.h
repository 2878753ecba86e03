/* Kymograph in a GTK 4 app, on Linux: the touches and frames of a widget, and the poses of the widgets inside of it that
 * you watch. Your app calls start, progress, release and complete; the times are found here.
 *
 *   recording = kymograph_gtk_new(sheet, "app.kymo", "first run", 440);
 *   kymograph_gtk_watch(recording, card, "card");
 *   kymograph_gtk_start(recording, "closed", "open", 0);
 *   kymograph_gtk_progress(recording, 0.4);
 *   kymograph_gtk_release(recording, KYMOGRAPH_FINISH);
 *   kymograph_gtk_complete(recording, TRUE);
 *   kymograph_gtk_finish(recording);
 *
 * Everything is called from GTK's thread.
 */
#ifndef KYMOGRAPH_GTK_H
#define KYMOGRAPH_GTK_H

#include <gtk/gtk.h>
#include <kymograph.h>

typedef struct {
  kymograph_recorder *recorder; /* NULL if the file could not be opened, and after the end: nothing is recorded then */
  kymograph_timeline *timeline;
  GtkWidget *root;
  GPtrArray *watched;       /* widgets, whose names are their ids */
  gboolean decides_late;    /* your widget decides by itself: each lift is a release whose outcome comes later */
  int contacts;             /* fingers that are down, or the button */
  gboolean is_down, moves;  /* there are some, and one has moved since */
  gboolean is_in_transition;
  int64_t origin;                  /* CLOCK_MONOTONIC at the session's zero */
  int64_t event_ns, first_move_ns; /* session's times: the last touch, and the first move since the button went down */
} KymographGtk;

/* The time that a value of this moment is computed for: the event's while a finger is down, the frame's afterwards. */
static inline int64_t kymograph_gtk_time(KymographGtk *k) {
  GdkFrameClock *clock = gtk_widget_get_frame_clock(k->root);
  if (k->is_down || !clock) return k->event_ns;
  /* A lift may come after the frame whose time the clock still gives. */
  return MAX(k->event_ns, gdk_frame_clock_get_frame_time(clock) * 1000 - k->origin);
}

/* The transition is over, at its target or where it began. */
static inline void kymograph_gtk_complete(KymographGtk *k, gboolean is_finished) {
  k->is_in_transition = FALSE;
  kymograph_timeline_complete(k->timeline, is_finished, kymograph_gtk_time(k));
}

/* A transition begins, at a progress at rest. The names are those of your states. A toolkit calls a move a swipe only
 * beyond a threshold; the transition begins with the move. A finger that catches a settle ends the transition before. */
static inline void kymograph_gtk_start(KymographGtk *k, const char *from, const char *to, double progress) {
  gboolean catches = k->is_in_transition;
  if (catches) kymograph_gtk_complete(k, FALSE);
  int64_t time_ns = k->is_down && !catches ? k->first_move_ns : kymograph_gtk_time(k);
  kymograph_timeline_start(k->timeline, from, KYMOGRAPH_NUL, to, KYMOGRAPH_NUL, time_ns);
  k->is_in_transition = TRUE;
  if (time_ns < kymograph_gtk_time(k)) kymograph_timeline_progress(k->timeline, progress, time_ns);
}

/* The transition's progress, 0 to 1, or beyond if it overshoots. */
static inline void kymograph_gtk_progress(KymographGtk *k, double progress) {
  kymograph_timeline_progress(k->timeline, progress, kymograph_gtk_time(k));
}

/* Your app decides: KYMOGRAPH_FINISH or KYMOGRAPH_CANCEL. */
static inline void kymograph_gtk_release(KymographGtk *k, int32_t outcome) {
  kymograph_timeline_release(k->timeline, outcome, kymograph_gtk_time(k));
}

/* The session's time of an event. GDK gives the low 32 bits of CLOCK_MONOTONIC's milliseconds. */
static inline int64_t kymograph_gtk_event_time(KymographGtk *k, GdkEvent *event) {
  int64_t now_ms = g_get_monotonic_time() / 1000;
  int32_t age_ms = (int32_t)((uint32_t)now_ms - gdk_event_get_time(event));
  return (now_ms - age_ms) * 1000000 - k->origin;
}

/* The phase of a contact that an event reports, or -1 if it reports none. Of a mouse its primary button counts. */
static inline int32_t kymograph_gtk_touch_phase(GdkEvent *event) {
  GdkEventType type = gdk_event_get_event_type(event);
  gboolean is_button = type == GDK_BUTTON_PRESS || type == GDK_BUTTON_RELEASE;
  if (is_button && gdk_button_event_get_button(event) != GDK_BUTTON_PRIMARY) return -1;
  switch (type) {
    case GDK_BUTTON_PRESS:
    case GDK_TOUCH_BEGIN: return KYMOGRAPH_BEGAN;
    case GDK_TOUCH_UPDATE: return KYMOGRAPH_MOVED;
    case GDK_MOTION_NOTIFY: return gdk_event_get_modifier_state(event) & GDK_BUTTON1_MASK ? KYMOGRAPH_MOVED : -1;
    case GDK_BUTTON_RELEASE:
    case GDK_TOUCH_END: return KYMOGRAPH_ENDED;
    case GDK_TOUCH_CANCEL: return KYMOGRAPH_CANCELLED;
    default: return -1;
  }
}

/* Sees every event before the widgets do. Toolkits tell no gesture object of a cancelled contact. */
static inline gboolean kymograph_gtk_event(GtkEventController *controller, GdkEvent *event, gpointer data) {
  KymographGtk *k = (KymographGtk *)data;
  GtkNative *native = gtk_widget_get_native(k->root);
  int32_t phase = kymograph_gtk_touch_phase(event);
  double x, y, surface_x, surface_y;
  (void)controller;
  if (phase < 0 || !gdk_event_get_position(event, &x, &y)) return GDK_EVENT_PROPAGATE;
  gtk_native_get_surface_transform(native, &surface_x, &surface_y);
  gtk_widget_translate_coordinates(GTK_WIDGET(native), k->root, x - surface_x, y - surface_y, &x, &y);
  k->event_ns = kymograph_gtk_event_time(k, event);
  int64_t contact = (intptr_t)gdk_event_get_event_sequence(event); /* 0 for the pointer */
  kymograph_timeline_touch(k->timeline, contact, phase, x, y, k->event_ns);
  if (phase == KYMOGRAPH_BEGAN) k->contacts++;
  if (phase == KYMOGRAPH_ENDED || phase == KYMOGRAPH_CANCELLED) k->contacts = MAX(k->contacts - 1, 0);
  k->is_down = k->contacts > 0;
  if (phase == KYMOGRAPH_BEGAN || !k->moves) k->first_move_ns = k->event_ns;
  k->moves = phase == KYMOGRAPH_MOVED;
  if (!k->is_down && k->decides_late && k->is_in_transition)
    kymograph_timeline_release(k->timeline, KYMOGRAPH_LATER, k->event_ns);
  return GDK_EVENT_PROPAGATE;
}

/* Records the watched widgets as a frame shows them: after its layout, which a tick callback would come before. */
static inline void kymograph_gtk_frame(GdkFrameClock *clock, KymographGtk *k) {
  if (!kymograph_timeline_needs_frame(k->timeline)) return;
  for (guint i = 0; i < k->watched->len; i++) {
    GtkWidget *widget = GTK_WIDGET(k->watched->pdata[i]);
    graphene_rect_t bounds = GRAPHENE_RECT_INIT(0, 0, 0, 0);
    gboolean is_seen = gtk_widget_get_mapped(widget) && gtk_widget_compute_bounds(widget, k->root, &bounds);
    kymograph_pose pose = kymograph_pose_of_rectangle(bounds.origin.x, bounds.origin.y, bounds.size.width,
                                                      bounds.size.height);
    pose.alpha = gtk_widget_get_opacity(widget);
    kymograph_timeline_see(k->timeline, gtk_widget_get_name(widget), KYMOGRAPH_NUL, is_seen ? &pose : NULL);
  }
  int64_t time = gdk_frame_clock_get_frame_time(clock), interval = 0, presented = 0;
  gdk_frame_clock_get_refresh_info(clock, time, &interval, &presented);
  kymograph_timeline_frame(k->timeline, time * 1000 - k->origin, (time + interval) * 1000 - k->origin);
  /* GTK draws nothing while nothing changes. */
  if (kymograph_timeline_needs_frame(k->timeline))
    gdk_frame_clock_request_phase(clock, GDK_FRAME_CLOCK_PHASE_AFTER_PAINT);
}

/* The root has a clock as long as it is realized. */
static inline void kymograph_gtk_realized(GtkWidget *root, KymographGtk *k) {
  g_signal_connect(gtk_widget_get_frame_clock(root), "after-paint", G_CALLBACK(kymograph_gtk_frame), k);
}

static inline void kymograph_gtk_unrealized(GtkWidget *root, KymographGtk *k) {
  g_signal_handlers_disconnect_by_data(gtk_widget_get_frame_clock(root), k);
}

/* Begins a session. If the file cannot be opened, GLib warns and nothing is recorded. `distance`: the pixels that
 * progress 1 stands for. */
static inline KymographGtk *kymograph_gtk_new(GtkWidget *root, const char *path, const char *name, double distance) {
  KymographGtk *k = g_new0(KymographGtk, 1);
  kymograph_error error;
  kymograph_recorder_options options = kymograph_recorder_options_make();
  options.name = kymograph_text_make(name);
  options.software = kymograph_text_make(g_get_prgname());
  if (kymograph_recorder_open(path, KYMOGRAPH_NUL, &options, &k->recorder, &error)) g_warning("%s", error.message);
  k->timeline = kymograph_timeline_new(k->recorder, distance);
  k->origin = kymograph_recorder_origin(k->recorder);
  k->root = g_object_ref(root);
  k->watched = g_ptr_array_new_with_free_func(g_object_unref);
  GtkEventController *events = gtk_event_controller_legacy_new();
  gtk_event_controller_set_propagation_phase(events, GTK_PHASE_CAPTURE);
  g_signal_connect(events, "event", G_CALLBACK(kymograph_gtk_event), k);
  gtk_widget_add_controller(root, events);
  g_signal_connect(root, "realize", G_CALLBACK(kymograph_gtk_realized), k);
  g_signal_connect(root, "unrealize", G_CALLBACK(kymograph_gtk_unrealized), k);
  if (gtk_widget_get_realized(root)) kymograph_gtk_realized(root, k);
  return k;
}

/* Records the pose of a widget inside of the root from now on. Its name becomes `id`. */
static inline void kymograph_gtk_watch(KymographGtk *k, GtkWidget *widget, const char *id) {
  gtk_widget_set_name(widget, id);
  g_ptr_array_add(k->watched, g_object_ref(widget));
}

/* Ends the session, once; "close-request" of the window is a good time. Later calls record nothing. */
static inline void kymograph_gtk_finish(KymographGtk *k) {
  kymograph_error error;
  kymograph_timeline_free(k->timeline);
  if (kymograph_recorder_finish(k->recorder, &error)) g_warning("%s", error.message);
  kymograph_recorder_free(k->recorder);
  k->recorder = NULL;
  k->timeline = NULL;
  g_ptr_array_set_size(k->watched, 0);
}

#endif
