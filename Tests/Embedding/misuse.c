// Everything that a caller may do wrong. Nothing of it may end the process, and the file must be healthy afterwards.
//
// usage: misuse FILE VALUES      VALUES: how many each of eight threads records
#define _GNU_SOURCE
#include <kymograph.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int failures;
#define CHECK(holds) \
  do { \
    if (!(holds)) failures++, printf("FAILED misuse.c:%d %s\n", __LINE__, #holds); \
  } while (0)

enum { THREADS = 8 };
static kymograph_recorder *recorder;
static kymograph_error error;
static int values_of_a_thread;

static void null_handles(void) {
  kymograph_pose pose = kymograph_pose_of_rectangle(0, 0, 1, 1);
  kymograph_frame frame = kymograph_frame_make(0);
  kymograph_decision decision = kymograph_decision_make();
  int32_t key = 0;
  int64_t time = 0;
  double value = 1;
  kymograph_record_value(NULL, 0, 0, 1, 0);
  kymograph_record_values(NULL, 1, &key, 0, &time, 0, &value, 0, 0);
  kymograph_record_frame(NULL, &frame, 1, &key, &pose);
  kymograph_frame_begin(NULL, &frame);
  kymograph_frame_pose(NULL, 0, &pose);
  kymograph_frame_end(NULL);
  kymograph_record_touch(NULL, 0, 0, 0, 0, 0);
  kymograph_record_event(NULL, "mark", KYMOGRAPH_NUL, 0, NULL, 0, 1);
  kymograph_record_decision(NULL, &decision);
  kymograph_recorder_free(NULL);
  CHECK(kymograph_recorder_finish(NULL, &error) == KYMOGRAPH_OK && error.code == KYMOGRAPH_OK && !error.message[0]);
  CHECK(kymograph_recorder_suspend(NULL, NULL) == KYMOGRAPH_OK && kymograph_recorder_resume(NULL, NULL) == KYMOGRAPH_OK);
  CHECK(kymograph_recorder_sync(NULL, NULL) == KYMOGRAPH_OK && kymograph_recorder_trouble(NULL, NULL) == KYMOGRAPH_OK);
  CHECK(kymograph_recorder_now(NULL) == 0 && kymograph_recorder_origin(NULL) == 0);
  CHECK(kymograph_recorder_session(NULL) == 0);
  CHECK(kymograph_recorder_key(NULL, "a", 1, "1", 1) == -1 && kymograph_recorder_item(NULL, "a", 1) == -1);
  CHECK(kymograph_recorder_key_of_role(NULL, "a", 1, "1", 1, KYMOGRAPH_ANIMATED) == -1);
  CHECK(kymograph_timeline_new(NULL, 0) == NULL);
  kymograph_timeline_free(NULL);
  CHECK(kymograph_timeline_set_rule(NULL, "gnome", KYMOGRAPH_NUL, 0, 0, &error) == KYMOGRAPH_OK);
  CHECK(kymograph_timeline_start(NULL, "a", 1, "b", 1, 0) == -1);
  kymograph_timeline_progress(NULL, 0, 0);
  kymograph_timeline_value(NULL, "a", 1, "1", 1, 0, 0);
  kymograph_timeline_touch(NULL, 0, 0, 0, 0, 0);
  kymograph_timeline_release(NULL, KYMOGRAPH_LATER, 0);
  kymograph_timeline_complete(NULL, 1, 0);
  kymograph_timeline_see(NULL, "a", 1, &pose);
  kymograph_timeline_frame(NULL, 0, 0);
  CHECK(kymograph_timeline_needs_frame(NULL) == 0);
  kymograph_reader_free(NULL);
  CHECK(kymograph_reader_session_count(NULL) == 0);
  CHECK(kymograph_reader_session(NULL, 0, NULL, &error) == KYMOGRAPH_MISUSE && strlen(error.message) > 20);
  CHECK(kymograph_reader_key(NULL, 1, 0, NULL, NULL) == KYMOGRAPH_MISUSE);
  CHECK(kymograph_reader_load(NULL, 1, NULL) == KYMOGRAPH_MISUSE);
  CHECK(kymograph_reader_columns(NULL, 0, NULL, NULL, NULL, NULL, NULL) == KYMOGRAPH_MISUSE);
}

static void opening(const char *path) {
  kymograph_recorder *none = (kymograph_recorder *)8;
  CHECK(kymograph_recorder_open("/nonexistent/x.kymo", KYMOGRAPH_NUL, NULL, &none, &error) == KYMOGRAPH_NOT_FOUND && !none);
  CHECK(error.code == KYMOGRAPH_NOT_FOUND && strstr(error.message, "/nonexistent"));
  CHECK(kymograph_recorder_open(NULL, 0, NULL, &none, &error) == KYMOGRAPH_MISUSE);
  CHECK(kymograph_recorder_open(path, KYMOGRAPH_NUL, NULL, NULL, &error) == KYMOGRAPH_MISUSE);
  CHECK(kymograph_recorder_open("/etc/passwd", KYMOGRAPH_NUL, NULL, &none, NULL) != KYMOGRAPH_OK && !none);
  CHECK(kymograph_recorder_open("/", KYMOGRAPH_NUL, NULL, &none, &error) == KYMOGRAPH_NOT_A_FILE && !none);
  kymograph_recorder_options unsalted = kymograph_recorder_options_make();
  unsalted.redaction = KYMOGRAPH_HASH_NAMES;
  CHECK(kymograph_recorder_open(path, KYMOGRAPH_NUL, &unsalted, &none, &error) == KYMOGRAPH_MISUSE && !none);
  // A newer caller's options, which are longer, with numbers that make no sense.
  struct {
    kymograph_recorder_options options;
    char more[64];
  } newer = {kymograph_recorder_options_make(), {1}};
  newer.options.size = sizeof newer;
  newer.options.name = kymograph_text_make("newer");
  newer.options.refresh_rate = INFINITY;
  newer.options.viewport_width = NAN;
  newer.options.limit_bytes = newer.options.limit_age_ns = -1;
  CHECK(kymograph_recorder_open(path, KYMOGRAPH_NUL, &newer.options, &recorder, &error) == KYMOGRAPH_OK);
  CHECK(kymograph_recorder_open(path, KYMOGRAPH_NUL, NULL, &none, &error) == KYMOGRAPH_BUSY && !none);
}

static void recording(void) {
  int32_t key = kymograph_recorder_key(recorder, "a", KYMOGRAPH_NUL, "pt", KYMOGRAPH_NUL);
  CHECK(kymograph_recorder_key(recorder, "axyz", 1, "pt", 2) == key);
  CHECK(kymograph_recorder_key(recorder, "\xff\xfe", 2, NULL, 0) != key);
  CHECK(kymograph_recorder_key(recorder, NULL, 0, NULL, 0) == -1);
  kymograph_record_value(recorder, key, 1, NAN, 0);
  kymograph_record_value(recorder, key, 1, INFINITY, 0);
  kymograph_record_value(recorder, 12345, 1, 1, 0);
  kymograph_record_value(recorder, INT32_MIN, 1, 1, 0);
  kymograph_record_value(recorder, -1, 1, 1, 0);
  kymograph_record_value(recorder, key, 2, 1, 99);
  kymograph_record_value(recorder, key, INT64_MIN, 1, 0);
  kymograph_record_value(recorder, key, INT64_MAX, 1, 0);
  double values[3] = {1, NAN, 3};
  int64_t times[3] = {10, 11, 12};
  int32_t keys[3] = {key, key, 999};
  kymograph_record_values(recorder, 3, keys, 4, times, 8, values, 8, KYMOGRAPH_DRIVING);
  kymograph_record_values(recorder, 3, keys, 4, NULL, 8, values, 8, KYMOGRAPH_DRIVING);
  kymograph_record_values(recorder, SIZE_MAX, keys, 4, times, 8, values, 8, KYMOGRAPH_DRIVING);
  kymograph_record_values(recorder, 2, &keys[1], -4, &times[1], -8, &values[2], -16, KYMOGRAPH_DRIVING);

  kymograph_pose pose = kymograph_pose_of_rectangle(0, 0, 10, 10), broken = pose;
  broken.center_x = NAN;
  kymograph_frame_pose(recorder, 0, &pose);
  int32_t item = kymograph_recorder_item(recorder, "card", KYMOGRAPH_NUL);
  kymograph_frame_pose(recorder, item, &pose);
  kymograph_frame frame = kymograph_frame_make(0);
  kymograph_frame_end(recorder);
  kymograph_frame_begin(recorder, &frame);
  kymograph_frame_begin(recorder, &frame);
  kymograph_frame_pose(recorder, item, &broken);
  kymograph_frame_pose(recorder, 4711, &pose);
  kymograph_frame_pose(recorder, -1, &pose);
  kymograph_frame_pose(recorder, item, NULL);
  kymograph_frame_pose(recorder, item, &pose);
  kymograph_frame_end(recorder);
  kymograph_frame_end(recorder);
  kymograph_record_frame(recorder, &frame, 1, NULL, NULL);
  frame.size = 0; // an older caller's, of which nothing is known
  frame.time_ns = 5;
  kymograph_record_frame(recorder, &frame, 1, &item, &pose);
  kymograph_record_touch(recorder, -3, 0, 1, 1, 0);
  kymograph_record_touch(recorder, INT64_MAX, 0, 1, 1, 0);
  kymograph_record_touch(recorder, 0, 77, NAN, 1, 0);
  kymograph_field fields[2] = {
      {{"n", 1}, KYMOGRAPH_FIELD_NUMBER, 0, 0, NAN, {NULL, 0}},
      {{"t", 1}, KYMOGRAPH_FIELD_TEXT, 0, 0, 0, {"\xc3(", 2}},
  };
  kymograph_record_event(recorder, "mark", KYMOGRAPH_NUL, 5, fields, 2, 1);
  kymograph_record_event(recorder, NULL, 0, 5, fields, 2, 1);
  kymograph_record_event(recorder, "mark", KYMOGRAPH_NUL, 6, NULL, 7, 0);
  kymograph_decision decision = kymograph_decision_make();
  decision.threshold = NAN;
  kymograph_record_decision(recorder, &decision);
  kymograph_record_decision(recorder, NULL);
}

static void wrong_order(void) {
  kymograph_timeline *timeline = kymograph_timeline_new(recorder, NAN);
  CHECK(kymograph_timeline_set_rule(timeline, "nonsense", KYMOGRAPH_NUL, NAN, NAN, &error) == KYMOGRAPH_MISUSE);
  CHECK(strstr(error.message, "nonsense") && strstr(error.message, "gnome"));
  CHECK(kymograph_timeline_set_rule(timeline, "gnome", KYMOGRAPH_NUL, KYMOGRAPH_NONE, KYMOGRAPH_NONE, &error) == KYMOGRAPH_OK);
  kymograph_timeline_release(timeline, KYMOGRAPH_FINISH, 10);
  kymograph_timeline_release(timeline, KYMOGRAPH_LATER, 10);
  kymograph_timeline_progress(timeline, 0.5, 11);
  kymograph_timeline_complete(timeline, 1, 12);
  kymograph_timeline_touch(timeline, 5, KYMOGRAPH_ENDED, 1, 1, 12);
  kymograph_timeline_start(timeline, NULL, 0, "b", 1, 20);
  kymograph_timeline_progress(timeline, NAN, 21);
  kymograph_timeline_start(timeline, "a", 1, "b", 1, 22);
  kymograph_timeline_release(timeline, 17, INT64_MAX);
  kymograph_timeline_release(timeline, KYMOGRAPH_LATER, INT64_MIN);
  kymograph_timeline_frame(timeline, 24, INT64_MIN);
  kymograph_timeline_start(timeline, "a", 1, "b", 1, 25);
  kymograph_timeline_release(timeline, KYMOGRAPH_LATER, 26);
  kymograph_timeline_see(timeline, NULL, 0, NULL);
  kymograph_timeline_see(timeline, "nobody", KYMOGRAPH_NUL, NULL);
  kymograph_timeline_free(timeline);
}

static void *syncs(void *argument) {
  for (int i = 0; i < 300; i++) kymograph_recorder_sync(argument, NULL);
  return NULL;
}

// Nothing of a child reaches the file. A recorder of its own works, also when the child's threads wait for each other.
static int in_child(const char *path) {
  char own_path[4096];
  snprintf(own_path, sizeof own_path, "%s-child.kymo", path);
  unlink(own_path);
  for (int i = 0; i < 1000; i++) kymograph_record_value(recorder, 0, 1000000 + i, 77, 0);
  if (kymograph_recorder_key(recorder, "child", KYMOGRAPH_NUL, "1", KYMOGRAPH_NUL) != -1) return 1;
  kymograph_record_event(recorder, "mark", KYMOGRAPH_NUL, 0, NULL, 0, 1);
  if (kymograph_recorder_sync(recorder, &error) == KYMOGRAPH_OK) return 2;
  if (kymograph_recorder_finish(recorder, &error) == KYMOGRAPH_OK) return 3;
  kymograph_recorder_trouble(recorder, &error);
  kymograph_recorder_free(recorder);
  kymograph_recorder *own = NULL;
  if (kymograph_recorder_open(own_path, KYMOGRAPH_NUL, NULL, &own, &error)) return 4;
  int32_t key = kymograph_recorder_key(own, "own", KYMOGRAPH_NUL, "1", KYMOGRAPH_NUL);
  kymograph_record_value(own, key, 1, 1, 0);
  pthread_t thread;
  if (pthread_create(&thread, NULL, syncs, own)) return 6;
  syncs(own);
  pthread_join(thread, NULL);
  return kymograph_recorder_finish(own, &error) ? 5 : 0;
}

static void *in_thread(void *argument) {
  char name[32];
  snprintf(name, sizeof name, "thread%d", *(int *)argument);
  int32_t key = kymograph_recorder_key(recorder, name, KYMOGRAPH_NUL, "1", KYMOGRAPH_NUL);
  for (int i = 0; i < values_of_a_thread; i++) {
    kymograph_record_value(recorder, key, (int64_t)i * 1000, i, KYMOGRAPH_DRIVING);
    if (i % 20000 == 0) kymograph_record_event(recorder, "mark", KYMOGRAPH_NUL, i, NULL, 0, 0);
    if (i % 10000 == 9999) kymograph_recorder_sync(recorder, NULL);
  }
  return NULL;
}

static void threads(void) {
  pthread_t threads[THREADS];
  int numbers[THREADS];
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, in_thread, &numbers[i]);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

static void ending(void) {
  CHECK(kymograph_recorder_suspend(recorder, &error) == KYMOGRAPH_OK);
  kymograph_record_value(recorder, 0, 100, 1, 0);
  CHECK(kymograph_recorder_finish(recorder, &error) == KYMOGRAPH_SUSPENDED && strlen(error.message) > 20);
  CHECK(kymograph_recorder_resume(recorder, &error) == KYMOGRAPH_OK);
  CHECK(kymograph_recorder_trouble(recorder, &error) == KYMOGRAPH_OK);
  threads();
  kymograph_timeline *late = kymograph_timeline_new(recorder, 0);
  CHECK(kymograph_recorder_finish(recorder, &error) == KYMOGRAPH_OK);
  CHECK(kymograph_recorder_finish(recorder, &error) == KYMOGRAPH_FINISHED);
  CHECK(kymograph_recorder_suspend(recorder, &error) == KYMOGRAPH_FINISHED);
  kymograph_pose pose = kymograph_pose_of_rectangle(0, 0, 10, 10);
  kymograph_frame frame = kymograph_frame_make(0);
  int32_t item = 0;
  for (int i = 0; i < values_of_a_thread; i++) kymograph_record_value(recorder, 0, i, 1, 0);
  kymograph_record_value(recorder, 999, 0, 1, 0);
  kymograph_record_frame(recorder, &frame, 1, &item, &pose);
  kymograph_record_touch(recorder, -3, 0, 1, 1, 0);
  kymograph_record_event(recorder, "mark", KYMOGRAPH_NUL, 0, NULL, 0, 1);
  kymograph_recorder_key(recorder, "late", KYMOGRAPH_NUL, "1", KYMOGRAPH_NUL);
  kymograph_recorder_free(recorder);
  kymograph_timeline_start(late, "a", 1, "b", 1, 0);
  kymograph_timeline_free(late);
}

// Nothing that is called secret, and no touch, may reach the file; the caller looks into it.
static void redacting(const char *path) {
  char own_path[4096];
  snprintf(own_path, sizeof own_path, "%s-redacted.kymo", path);
  unlink(own_path);
  kymograph_recorder_options options = kymograph_recorder_options_make();
  options.redaction = KYMOGRAPH_WITHOUT_TOUCHES | KYMOGRAPH_HASH_NAMES;
  options.salt = kymograph_text_make("a salt");
  options.name = kymograph_text_make("secret name");
  kymograph_recorder *own = NULL;
  CHECK(kymograph_recorder_open(own_path, KYMOGRAPH_NUL, &options, &own, &error) == KYMOGRAPH_OK);
  int32_t key = kymograph_recorder_key(own, "secret key", KYMOGRAPH_NUL, "1", KYMOGRAPH_NUL);
  int32_t item = kymograph_recorder_item(own, "secret item", KYMOGRAPH_NUL);
  kymograph_pose pose = kymograph_pose_of_rectangle(0, 0, 10, 10);
  kymograph_frame frame = kymograph_frame_make(1);
  kymograph_record_value(own, key, 1, 1, 0);
  kymograph_record_frame(own, &frame, 1, &item, &pose);
  kymograph_record_touch(own, 0, KYMOGRAPH_BEGAN, 1, 1, 1);
  kymograph_field field = {{"text", 4}, KYMOGRAPH_FIELD_TEXT, 0, 0, 0, {"secret text", KYMOGRAPH_NUL}};
  kymograph_record_event(own, "mark", KYMOGRAPH_NUL, 2, &field, 1, 1);
  kymograph_timeline *timeline = kymograph_timeline_new(own, 100);
  kymograph_timeline_start(timeline, "secret from", KYMOGRAPH_NUL, "secret to", KYMOGRAPH_NUL, 3);
  kymograph_timeline_touch(timeline, 1, KYMOGRAPH_BEGAN, 1, 1, 3);
  kymograph_timeline_see(timeline, "secret view", KYMOGRAPH_NUL, &pose);
  kymograph_timeline_frame(timeline, 4, 0);
  kymograph_timeline_free(timeline);
  CHECK(kymograph_recorder_finish(own, &error) == KYMOGRAPH_OK);
  kymograph_recorder_free(own);
}

// Names beyond 64 KiB are left out and counted, and a limit on the size of files sends no signal.
static void limits(const char *path) {
  char own_path[4096];
  snprintf(own_path, sizeof own_path, "%s-limits.kymo", path);
  unlink(own_path);
  static char name[65537];
  memset(name, 'n', sizeof name);
  kymograph_recorder *own = NULL;
  CHECK(kymograph_recorder_open(own_path, KYMOGRAPH_NUL, NULL, &own, &error) == KYMOGRAPH_OK);
  int32_t longest = kymograph_recorder_key(own, name, sizeof name - 1, "1", 1);
  int32_t key = kymograph_recorder_key(own, name, sizeof name, "1", 1);
  int32_t item = kymograph_recorder_item(own, name, sizeof name);
  CHECK(longest == 0 && key == -2 && item == -2 && kymograph_recorder_key(own, "unit", 4, name, sizeof name) == -2);
  kymograph_record_value(own, longest, 1, 1, 0);
  kymograph_record_value(own, key, 1, 1, 0);
  kymograph_pose pose = kymograph_pose_of_rectangle(0, 0, 10, 10);
  kymograph_frame frame = kymograph_frame_make(2);
  kymograph_record_frame(own, &frame, 1, &item, &pose);
  pid_t child = fork();
  if (!child) {
    struct rlimit limit = {1 << 16, 1 << 16};
    setrlimit(RLIMIT_FSIZE, &limit);
    kymograph_recorder *small = NULL;
    snprintf(own_path, sizeof own_path, "%s-small.kymo", path);
    int is_refused = kymograph_recorder_open(own_path, KYMOGRAPH_NUL, NULL, &small, &error) != KYMOGRAPH_OK;
    unlink(own_path);
    _exit(is_refused && !small ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK(kymograph_recorder_finish(own, &error) == KYMOGRAPH_OK);
  kymograph_recorder_free(own);
  kymograph_reader *reader = NULL;
  kymograph_session session = {.size = sizeof session};
  CHECK(kymograph_reader_open(own_path, KYMOGRAPH_NUL, &reader, &error) == KYMOGRAPH_OK);
  CHECK(kymograph_reader_session(reader, 0, &session, &error) == KYMOGRAPH_OK);
  CHECK(session.sample_count == 1 && session.lost_count == 2 && session.key_count == 1 && session.item_count == 0);
  kymograph_reader_free(reader);
}

// A child that frees its parent's reader keeps the files that have the reader's numbers, and can ask it nothing.
static void reading_in_child(kymograph_reader *reader) {
  pid_t child = fork();
  if (!child) {
    int files[8], is_right = 1;
    for (int i = 0; i < 8; i++) files[i] = open("/dev/null", O_WRONLY);
    is_right = kymograph_reader_load(reader, 1, &error) == KYMOGRAPH_MISUSE;
    kymograph_reader_free(reader);
    for (int i = 0; i < 8; i++) is_right = is_right && write(files[i], "x", 1) == 1;
    _exit(is_right ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void reading(const char *path) {
  kymograph_reader *reader = (kymograph_reader *)8;
  CHECK(kymograph_reader_open(NULL, 0, &reader, &error) == KYMOGRAPH_MISUSE && !reader);
  CHECK(kymograph_reader_open("/nonexistent", KYMOGRAPH_NUL, &reader, &error) == KYMOGRAPH_NOT_FOUND && !reader);
  CHECK(kymograph_reader_open("/etc/passwd", KYMOGRAPH_NUL, &reader, &error) == KYMOGRAPH_NOT_A_DATABASE && !reader);
  CHECK(kymograph_reader_open(path, KYMOGRAPH_NUL, NULL, &error) == KYMOGRAPH_MISUSE);
  CHECK(kymograph_reader_open(path, KYMOGRAPH_NUL, &reader, &error) == KYMOGRAPH_OK);
  CHECK(kymograph_reader_session_count(reader) == 1);
  kymograph_session session = {.size = sizeof session};
  CHECK(kymograph_reader_session(reader, 5, &session, &error) == KYMOGRAPH_MISUSE);
  CHECK(kymograph_reader_session(reader, -1, &session, &error) == KYMOGRAPH_MISUSE);
  CHECK(kymograph_reader_session(reader, 0, NULL, &error) == KYMOGRAPH_MISUSE);
  // An older caller gets no byte more than it has room for.
  kymograph_session older = {.size = 16, .end_ns = 4711};
  CHECK(kymograph_reader_session(reader, 0, &older, &error) == KYMOGRAPH_OK && older.size == 16);
  CHECK(older.number == 1 && older.end_ns == 4711);
  CHECK(kymograph_reader_session(reader, 0, &session, &error) == KYMOGRAPH_OK && session.size == sizeof session);
  CHECK(session.is_clean && session.lost_count == 0 && !strcmp(session.name.utf8, "newer"));
  CHECK(kymograph_reader_columns(reader, 0, NULL, NULL, NULL, NULL, &error) == KYMOGRAPH_MISUSE);
  CHECK(kymograph_reader_load(reader, 2, &error) == KYMOGRAPH_NO_SUCH_SESSION);
  CHECK(kymograph_reader_key(reader, 2, 0, &(kymograph_key_info){.size = 4}, &error) == KYMOGRAPH_NO_SUCH_SESSION);
  CHECK(kymograph_reader_load(reader, 1, &error) == KYMOGRAPH_OK);
  CHECK(kymograph_reader_columns(reader, 999, NULL, NULL, NULL, NULL, &error) == KYMOGRAPH_MISUSE);
  CHECK(kymograph_reader_key(reader, 1, 999, NULL, &error) == KYMOGRAPH_MISUSE);
  int seen = 0;
  int64_t total = 0;
  for (int i = 0; i < session.key_count; i++) {
    kymograph_key_info info = {.size = sizeof info};
    CHECK(kymograph_reader_key(reader, 1, i, &info, &error) == KYMOGRAPH_OK);
    size_t count = 0;
    const int64_t *times = NULL;
    const double *values = NULL;
    const uint8_t *phases = NULL;
    CHECK(kymograph_reader_columns(reader, info.key, &count, &times, &values, &phases, &error) == KYMOGRAPH_OK);
    CHECK(info.sample_count == (int64_t)count);
    total += (int64_t)count;
    if (strncmp(info.name.utf8, "thread", 6)) continue;
    seen++;
    int is_whole = count == (size_t)values_of_a_thread;
    for (size_t j = 0; is_whole && j < count; j++)
      is_whole = values[j] == (double)j && times[j] == (int64_t)j * 1000 && phases[j] == KYMOGRAPH_DRIVING;
    CHECK(is_whole);
  }
  CHECK(seen == THREADS && total == session.sample_count);
  reading_in_child(reader);
  CHECK(kymograph_reader_load(reader, 1, &error) == KYMOGRAPH_OK);
  kymograph_reader_free(reader);
}

int main(int count, char **words) {
  const char *path = count > 1 ? words[1] : "misuse.kymo";
  values_of_a_thread = count > 2 ? atoi(words[2]) : 20000;
  unlink(path);
  null_handles();
  opening(path);
  recording();
  wrong_order();
  fflush(stdout);
  pid_t child = fork();
  if (!child) _exit(in_child(path));
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  ending();
  redacting(path);
  limits(path);
  reading(path);
  printf(failures ? "%d failed\n" : "all passed\n", failures);
  return failures != 0;
}
