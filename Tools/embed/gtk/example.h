/* What both examples have beside their widget: numbers of the environment, and a window that a test can drive. */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <adwaita.h>
#include <glib-unix.h>

/* A number of the environment. */
static double number(const char *name, double otherwise) {
  return g_getenv(name) ? g_ascii_strtod(g_getenv(name), NULL) : otherwise;
}

static gboolean terminated(gpointer window) {
  gtk_window_close(window);
  return G_SOURCE_REMOVE;
}

static gboolean steady(GtkWidget *window, GdkFrameClock *clock, gpointer data) {
  static int count = 0;
  (void)window, (void)data;
  if (++count == 20) g_print("ready %" G_GINT64_FORMAT "\n", gdk_frame_clock_get_frame_time(clock));
  return G_SOURCE_CONTINUE;
}

/* SIGTERM closes the window, as its user does. STEADY=1 keeps the frames coming while nothing changes, and prints the time
 * of the twentieth, by CLOCK_MONOTONIC in us. */
static void let_tests_drive(GtkWidget *window) {
  g_unix_signal_add(SIGTERM, terminated, window);
  if (g_getenv("STEADY")) gtk_widget_add_tick_callback(window, steady, NULL, NULL);
}

#endif
