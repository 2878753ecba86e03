// Records so that instructions can be counted inside of the library's functions.
//
// usage: costs value|series|row|frame|pose|nothing COUNT FILE
#include <kymograph.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 8, ITEMS = 200, MOST = 50000 };

int main(int count, char **words) {
  if (count < 4) return 2;
  const char *mode = words[1];
  int units = atoi(words[2]);
  if (units < 0 || units > MOST) return 2;
  kymograph_recorder *recorder = NULL;
  kymograph_error error;
  if (kymograph_recorder_open(words[3], KYMOGRAPH_NUL, NULL, &recorder, &error)) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  int32_t keys[KEYS], items[ITEMS];
  kymograph_pose poses[ITEMS];
  static int64_t times[MOST];
  static double values[MOST];
  char name[16];
  for (int i = 0; i < KEYS; i++) {
    snprintf(name, sizeof name, "key%d", i);
    keys[i] = kymograph_recorder_key(recorder, name, KYMOGRAPH_NUL, "1", KYMOGRAPH_NUL);
  }
  for (int i = 0; i < ITEMS; i++) {
    snprintf(name, sizeof name, "item%d", i);
    items[i] = kymograph_recorder_item(recorder, name, KYMOGRAPH_NUL);
    poses[i] = kymograph_pose_of_rectangle(i, i, 100, 50);
  }
  for (int i = 0; i < units; i++) times[i] = i * 1000, values[i] = i * 0.5;
  for (int i = 0; !strcmp(mode, "value") && i < units; i++)
    kymograph_record_value(recorder, keys[i % KEYS], times[i], values[i], KYMOGRAPH_DRIVING);
  if (!strcmp(mode, "series"))
    kymograph_record_values(recorder, (size_t)units, keys, 0, times, 8, values, 8, KYMOGRAPH_DRIVING);
  for (int i = 0; !strcmp(mode, "row") && i + KEYS <= units; i += KEYS)
    kymograph_record_values(recorder, KEYS, keys, 4, &times[i], 0, &values[i], 8, KYMOGRAPH_DRIVING);
  int is_whole = !strcmp(mode, "frame");
  for (int done = 0; (is_whole || !strcmp(mode, "pose")) && done < units; done += ITEMS) {
    kymograph_frame frame = kymograph_frame_make((int64_t)done * 41667);
    for (int i = 0; i < ITEMS; i++) poses[i].center_x += 1, poses[i].center_y += 0.5;
    if (is_whole) {
      kymograph_record_frame(recorder, &frame, ITEMS, items, poses);
    } else {
      kymograph_frame_begin(recorder, &frame);
      for (int i = 0; i < ITEMS; i++) kymograph_frame_pose(recorder, items[i], &poses[i]);
      kymograph_frame_end(recorder);
    }
  }
  int code = kymograph_recorder_finish(recorder, &error);
  kymograph_recorder_free(recorder);
  return code;
}
