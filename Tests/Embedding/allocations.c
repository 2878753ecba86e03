// How often malloc is called while values and frames are recorded. It prints the counts by name.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <kymograph.h>
#include <stdio.h>

static __thread long calls;
static void *(*real_malloc)(size_t);
void *malloc(size_t size) {
  if (!real_malloc) real_malloc = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
  calls++;
  return real_malloc(size);
}

enum { ITEMS = 200, VALUES = 50000, FRAMES = 20, ROUNDS = 20 };

int main(int count, char **words) {
  kymograph_recorder *recorder = NULL;
  kymograph_error error;
  if (count < 2 || kymograph_recorder_open(words[1], KYMOGRAPH_NUL, NULL, &recorder, &error)) return 1;
  int32_t key = kymograph_recorder_key(recorder, "x", KYMOGRAPH_NUL, "1", KYMOGRAPH_NUL), items[ITEMS];
  kymograph_pose poses[ITEMS];
  static int64_t times[VALUES];
  static double values[VALUES];
  for (int i = 0; i < ITEMS; i++) {
    char name[16];
    snprintf(name, sizeof name, "item%d", i);
    items[i] = kymograph_recorder_item(recorder, name, KYMOGRAPH_NUL);
    poses[i] = kymograph_pose_of_rectangle(i, i, 9, 9);
  }
  // The first call of a thread makes its lane; the first frames make room for the elements.
  kymograph_record_value(recorder, key, 0, 0, KYMOGRAPH_IDLE);
  kymograph_frame frame = kymograph_frame_make(0);
  for (int i = 0; i < 2; i++) kymograph_record_frame(recorder, &frame, ITEMS, items, poses);
  long of_values = 0, of_series = 0, of_frames = 0;
  for (int round = 0; round < ROUNDS; round++) {
    long before = calls;
    for (int i = 0; i < VALUES; i++) kymograph_record_value(recorder, key, i, i, KYMOGRAPH_DRIVING);
    of_values += calls - before;
    kymograph_recorder_sync(recorder, NULL);
    before = calls;
    kymograph_record_values(recorder, VALUES, &key, 0, times, 8, values, 8, KYMOGRAPH_DRIVING);
    of_series += calls - before;
    kymograph_recorder_sync(recorder, NULL);
    before = calls;
    for (int j = 0; j < FRAMES; j++) {
      frame.time_ns++;
      for (int i = 0; i < ITEMS; i++) poses[i].center_x++;
      kymograph_record_frame(recorder, &frame, ITEMS, items, poses);
    }
    of_frames += calls - before;
    kymograph_recorder_sync(recorder, NULL);
  }
  printf("values %ld series %ld frames %ld\n", of_values, of_series, of_frames);
  int code = kymograph_recorder_finish(recorder, &error);
  kymograph_recorder_free(recorder);
  return code;
}
