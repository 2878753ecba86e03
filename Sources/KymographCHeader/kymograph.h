/* Kymograph's C interface: record interactive motion into a .kymo file, and read it back.
 *
 *   kymograph_recorder *recorder = NULL;
 *   kymograph_recorder_open("app.kymo", KYMOGRAPH_NUL, NULL, &recorder, NULL);
 *   int32_t speed = kymograph_recorder_key(recorder, "speed", KYMOGRAPH_NUL, "pt/s", KYMOGRAPH_NUL);
 *   kymograph_record_value(recorder, speed, kymograph_recorder_now(recorder), 12.5, KYMOGRAPH_IDLE);
 *   kymograph_recorder_finish(recorder, NULL);
 *   kymograph_recorder_free(recorder);
 *
 * These rules hold for every function:
 *
 * - A NULL handle, and a key or an item of -1, are allowed everywhere and do nothing. So an app whose recorder could
 *   not be opened, or that records in some builds only, needs no condition around its calls.
 * - Nothing throws, traps or ends the process. A call that cannot be recorded is left out, and the recording gets a
 *   `warning` event once for each sort of mistake. Mistakes are a number that is not finite, a key of another recorder,
 *   or a pose outside of a frame. After kymograph_recorder_finish every call is ignored.
 * - A function that can fail returns KYMOGRAPH_OK (0) or a code. It writes the code and a sentence into the caller's
 *   kymograph_error, which may be NULL. Nothing is kept for the thread or the handle.
 * - Text is UTF-8 with its length in bytes, or KYMOGRAPH_NUL if a zero byte ends it. It is copied before the function
 *   returns. Bytes that are not UTF-8 are replaced by U+FFFD.
 * - Times are nanoseconds of the session's clock: those of CLOCK_MONOTONIC less kymograph_recorder_origin.
 * - A struct that may grow begins with `size`, which the function …_make beside it sets. Fields that an older caller
 *   lacks count as zero, and those of a newer caller are ignored. The other structs never change.
 * - Do not call any function from a signal handler. In a child that fork made, the recorders, timelines and readers of
 *   the parent do nothing. Freeing them there is harmless. The child may open its own.
 * - Names and units have at most 65,536 bytes. A key or an item with a longer one has the number -2: what is recorded for
 *   it is left out and counted as lost, with a `warning` event.
 * - Beyond a limit on the size of files a call returns a code, and SIGXFSZ is held back. If another program
 *   truncates NAME-shm or a crash journal (NAME-crash1) while they are in use, the system ends the process with SIGBUS.
 * - A record survives a kill of the process as soon as its call has returned.
 */
#ifndef KYMOGRAPH_H
#define KYMOGRAPH_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define KYMOGRAPH_API
#else
#define KYMOGRAPH_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
#define KYMOGRAPH_ZERO {}
extern "C" {
#else
#define KYMOGRAPH_ZERO {0}
#endif

/* The version of this interface. A library with the same major number, and a minor number that is not lower, has
 * everything that this header declares. */
#define KYMOGRAPH_ABI_MAJOR 0
#define KYMOGRAPH_ABI_MINOR 2

/* The library's version: major << 16 | minor. */
KYMOGRAPH_API int32_t kymograph_abi_version(void);
/* The version of the package from which the library was built, such as "0.2.0". The text lives as long as the library. The
 * program of the same package prints this version and the same schema version for `kymo --version`. */
KYMOGRAPH_API const char *kymograph_version(void);
/* The version of the recordings that the library writes. A newer recording is refused with KYMOGRAPH_NEWER_SCHEMA. */
KYMOGRAPH_API int32_t kymograph_schema_version(void);

/* Instead of a length: a zero byte ends the text. */
#define KYMOGRAPH_NUL ((ptrdiff_t)-1)
/* Instead of a number that is not known: NaN. */
#define KYMOGRAPH_NONE ((double)NAN)

typedef struct kymograph_text {
  const char *utf8; /* NULL: not given */
  ptrdiff_t length; /* bytes, or KYMOGRAPH_NUL */
} kymograph_text;
static inline kymograph_text kymograph_text_make(const char *utf8) {
  kymograph_text text = {utf8, KYMOGRAPH_NUL};
  return text;
}

/* MARK: Errors */

/* Codes of errors. Every sentence contains what is wrong, where, and the remedy. */
enum {
  KYMOGRAPH_OK = 0,
  KYMOGRAPH_MISUSE = 1,
  KYMOGRAPH_NOT_FOUND = 2,
  KYMOGRAPH_NOT_A_FILE = 3,
  KYMOGRAPH_NOT_A_DATABASE = 4,
  KYMOGRAPH_NOT_A_RECORDING = 5,
  KYMOGRAPH_NEWER_SCHEMA = 6,
  KYMOGRAPH_BUSY = 7,
  KYMOGRAPH_DAMAGED = 8,
  KYMOGRAPH_FULL = 9,
  KYMOGRAPH_READ_ONLY = 10,
  KYMOGRAPH_UNFINISHED_CHANGE = 11,
  KYMOGRAPH_CANNOT_OPEN = 12,
  KYMOGRAPH_INPUT_OUTPUT = 13,
  KYMOGRAPH_NO_SUCH_SESSION = 14,
  KYMOGRAPH_UUID_IN_USE = 15,
  KYMOGRAPH_FINISHED = 16,
  KYMOGRAPH_OTHER = 17,
  KYMOGRAPH_BACK_PRESSURE = 18,
  KYMOGRAPH_LONG_LOG = 19,
  KYMOGRAPH_SUSPENDED = 20,
  KYMOGRAPH_LOG_IN_USE = 21 /* see kymograph_recorder_finish */
};

typedef struct kymograph_error {
  int32_t code;
  char message[1020]; /* a sentence in UTF-8, ended by zero, cut if it is longer */
} kymograph_error;

/* MARK: Recorder. You may use it from any thread, but give the frames of a session from one thread at a time. */

typedef struct kymograph_recorder kymograph_recorder;

enum { KYMOGRAPH_LIVE = 0, KYMOGRAPH_WAIT = 1 };                            /* policy */
enum { KYMOGRAPH_IDLE = 0, KYMOGRAPH_DRIVING = 1, KYMOGRAPH_SETTLING = 2 }; /* phase */
enum { KYMOGRAPH_CUSTOM = 0, KYMOGRAPH_ANIMATED = 1, KYMOGRAPH_PROGRESS = 2 }; /* role of a key */
enum { KYMOGRAPH_CANCEL = 0, KYMOGRAPH_FINISH = 1, KYMOGRAPH_LATER = 2 };   /* outcome of a release */

enum {
  KYMOGRAPH_WITHOUT_TOUCHES = 1, /* touches are left out */
  KYMOGRAPH_HASH_NAMES = 2       /* names of items, and texts, are hashed */
};

enum {
  KYMOGRAPH_PACKED = 0, /* samples and poses in blocks: small, quick for hours, read by `kymo` and this library */
  KYMOGRAPH_ROWS = 1    /* in rows, which every SQLite tool reads. A limit packs nevertheless */
};

typedef struct kymograph_recorder_options {
  uint32_t size;
  int32_t policy;          /* LIVE: the caller never waits for the disk. WAIT: it waits, and nothing is lost */
  kymograph_text name;     /* the session's, for people */
  kymograph_text software; /* the program that records, with its version */
  double refresh_rate;     /* frames per second of the display, or 0 if it is not known */
  double viewport_width;   /* in points, or 0 if it is not known */
  double viewport_height;
  int64_t limit_bytes;     /* beyond it the oldest seconds are removed, 0 for no limit */
  int64_t limit_age_ns;    /* the same by age, 0 for no limit */
  uint32_t redaction;      /* KYMOGRAPH_WITHOUT_TOUCHES | KYMOGRAPH_HASH_NAMES */
  uint32_t storage;        /* KYMOGRAPH_PACKED or KYMOGRAPH_ROWS */
  kymograph_text salt;     /* of the hashes, required with KYMOGRAPH_HASH_NAMES */
} kymograph_recorder_options;
/* Options with nothing given. */
static inline kymograph_recorder_options kymograph_recorder_options_make(void) {
  kymograph_recorder_options options = KYMOGRAPH_ZERO;
  options.size = sizeof options;
  return options;
}

/* Opens or creates a recording, and begins a session at its end. `options` may be NULL. After an error *recorder is NULL.
 * The code is KYMOGRAPH_BUSY if another recorder has the file, and KYMOGRAPH_MISUSE if KYMOGRAPH_HASH_NAMES comes without
 * a salt. */
KYMOGRAPH_API int32_t kymograph_recorder_open(const char *path, ptrdiff_t path_length,
                                              const kymograph_recorder_options *options,
                                              kymograph_recorder **recorder, kymograph_error *error);
/* Ends the session: writes the remaining records, and makes one file of the recording. It waits for the disk. You may
 * try again after an error such as KYMOGRAPH_FULL. A second call after success returns KYMOGRAPH_FINISHED. A suspended
 * recorder returns KYMOGRAPH_SUSPENDED and is not finished.
 *
 * While another program reads an older state of the file, the newest records cannot be moved from NAME-wal into NAME. The
 * call waits at most 5 seconds for that program, and then returns KYMOGRAPH_LOG_IN_USE. The session is finished then, and
 * complete in both files together, so do not copy NAME alone. The next recording, or `kymo file migrate NAME`, makes one
 * file of them. */
KYMOGRAPH_API int32_t kymograph_recorder_finish(kymograph_recorder *recorder, kymograph_error *error);
/* Frees the handle, which no thread may use any more. A session that was not finished keeps all that it was given. */
KYMOGRAPH_API void kymograph_recorder_free(kymograph_recorder *recorder);
/* Closes the file while an app is in the background. Calls until resume are kept in the crash journal. */
KYMOGRAPH_API int32_t kymograph_recorder_suspend(kymograph_recorder *recorder, kymograph_error *error);
KYMOGRAPH_API int32_t kymograph_recorder_resume(kymograph_recorder *recorder, kymograph_error *error);
/* Waits until the disk has everything that was recorded. */
KYMOGRAPH_API int32_t kymograph_recorder_sync(kymograph_recorder *recorder, kymograph_error *error);
/* The newest trouble of the writer since the last call, or KYMOGRAPH_OK without one. Call it now and then, because
 * nothing calls you back. */
KYMOGRAPH_API int32_t kymograph_recorder_trouble(kymograph_recorder *recorder, kymograph_error *error);

/* The session's time now, and the reading of CLOCK_MONOTONIC at its zero. */
KYMOGRAPH_API int64_t kymograph_recorder_now(kymograph_recorder *recorder);
KYMOGRAPH_API int64_t kymograph_recorder_origin(kymograph_recorder *recorder);
/* The session's number in the file, from 1, or 0 without a recorder. */
KYMOGRAPH_API int64_t kymograph_recorder_session(kymograph_recorder *recorder);

/* The number of a key, or -1 without a recorder or a name. The same name gives the same number. The call takes a lock,
 * so make it once. `unit` is free text from the first call, such as "pt", or "1" for none. */
KYMOGRAPH_API int32_t kymograph_recorder_key(kymograph_recorder *recorder, const char *name, ptrdiff_t name_length,
                                             const char *unit, ptrdiff_t unit_length);
KYMOGRAPH_API int32_t kymograph_recorder_key_of_role(kymograph_recorder *recorder, const char *name,
                                                     ptrdiff_t name_length, const char *unit, ptrdiff_t unit_length,
                                                     int32_t role);
/* The number of an element on the screen. The same id gives the same number. The call takes a lock, so make it once. */
KYMOGRAPH_API int32_t kymograph_recorder_item(kymograph_recorder *recorder, const char *id, ptrdiff_t id_length);

/* Keeps one value, without a lock, memory or a system call, except in a thread's first call or with a late writer. */
KYMOGRAPH_API void kymograph_record_value(kymograph_recorder *recorder, int32_t key, int64_t time_ns, double value,
                                          int32_t phase);
/* Keeps `count` values. Each array has a stride in bytes, and 0 repeats the first element. A stride of 0 for
 * keys records a series of one key. A stride of 0 for times records several keys at one instant. */
KYMOGRAPH_API void kymograph_record_values(kymograph_recorder *recorder, size_t count, const int32_t *keys,
                                           ptrdiff_t key_stride, const int64_t *times_ns, ptrdiff_t time_stride,
                                           const double *values, ptrdiff_t value_stride, int32_t phase);

/* The position and look of an element. The struct never changes. */
typedef struct kymograph_pose {
  double center_x, center_y; /* in points, y down */
  double width, height;      /* before the transform */
  double alpha;
  double a, b, c, d, tx, ty; /* affine, about the center, only with KYMOGRAPH_TRANSFORMED */
  int32_t z_index;
  uint32_t flags;            /* KYMOGRAPH_HIDDEN | KYMOGRAPH_TRANSFORMED */
} kymograph_pose;
enum { KYMOGRAPH_HIDDEN = 1, KYMOGRAPH_TRANSFORMED = 2 };

/* An upright, opaque pose that fills a rectangle. */
static inline kymograph_pose kymograph_pose_of_rectangle(double x, double y, double width, double height) {
  kymograph_pose pose = KYMOGRAPH_ZERO;
  pose.center_x = x + width / 2;
  pose.center_y = y + height / 2;
  pose.width = width;
  pose.height = height;
  pose.alpha = 1;
  return pose;
}

typedef struct kymograph_frame {
  uint32_t size;
  int32_t phase;
  int64_t time_ns;
  double progress; /* KYMOGRAPH_NONE outside of a transition */
  double offset_x, offset_y;
  double content_width, content_height;
} kymograph_frame;
/* A frame outside of a transition. */
static inline kymograph_frame kymograph_frame_make(int64_t time_ns) {
  kymograph_frame frame = KYMOGRAPH_ZERO;
  frame.size = sizeof frame;
  frame.time_ns = time_ns;
  frame.progress = KYMOGRAPH_NONE;
  return frame;
}

/* Keeps a whole frame: all elements on the screen at an instant. An element of the frame before that is missing in this
 * one is gone. */
KYMOGRAPH_API void kymograph_record_frame(kymograph_recorder *recorder, const kymograph_frame *frame, size_t count,
                                          const int32_t *items, const kymograph_pose *poses);
/* The same, element by element. */
KYMOGRAPH_API void kymograph_frame_begin(kymograph_recorder *recorder, const kymograph_frame *frame);
KYMOGRAPH_API void kymograph_frame_pose(kymograph_recorder *recorder, int32_t item, const kymograph_pose *pose);
KYMOGRAPH_API void kymograph_frame_end(kymograph_recorder *recorder);

enum { KYMOGRAPH_BEGAN = 0, KYMOGRAPH_MOVED = 1, KYMOGRAPH_ENDED = 2, KYMOGRAPH_CANCELLED = 3 };
/* Keeps one report of a contact. Contacts are numbered from 0 in the order of landing. x and y are in points. */
KYMOGRAPH_API void kymograph_record_touch(kymograph_recorder *recorder, int64_t contact, int32_t touch_phase, double x,
                                          double y, int64_t time_ns);

enum { KYMOGRAPH_FIELD_NULL = 0, KYMOGRAPH_FIELD_FLAG = 1, KYMOGRAPH_FIELD_INTEGER = 2, KYMOGRAPH_FIELD_NUMBER = 3,
       KYMOGRAPH_FIELD_TEXT = 4 };
typedef struct kymograph_field {
  kymograph_text name;
  int32_t kind;
  int32_t flag;
  int64_t integer;
  double number;
  kymograph_text text;
} kymograph_field;
/* Keeps an event ("mark", "start", "finish", a name of the app's own). An important one is on the disk when the call
 * returns. */
KYMOGRAPH_API void kymograph_record_event(kymograph_recorder *recorder, const char *kind, ptrdiff_t kind_length,
                                          int64_t time_ns, const kymograph_field *fields, size_t field_count,
                                          int32_t is_important);

typedef struct kymograph_decision {
  uint32_t size;
  int32_t transition; /* from 0 */
  int64_t time_ns;
  int32_t outcome, rule_outcome; /* KYMOGRAPH_CANCEL or KYMOGRAPH_FINISH: the app's, and the rule's own */
  kymograph_text rule, decided_by, rule_parameters; /* decided_by: "rule", "app" or "touch". parameters: JSON */
  double threshold, progress;
  /* KYMOGRAPH_NONE if it is not known. */
  double progress_velocity, progress_standard_error, margin_progress, margin_velocity;
} kymograph_decision;
/* A decision without a velocity and a margin. */
static inline kymograph_decision kymograph_decision_make(void) {
  kymograph_decision decision = KYMOGRAPH_ZERO;
  decision.size = sizeof decision;
  decision.progress_velocity = decision.progress_standard_error = KYMOGRAPH_NONE;
  decision.margin_progress = decision.margin_velocity = KYMOGRAPH_NONE;
  return decision;
}
/* Keeps a release decision. A timeline writes its own. */
KYMOGRAPH_API void kymograph_record_decision(kymograph_recorder *recorder, const kymograph_decision *decision);

/* MARK: Timeline. A user interface reports its actions to it, from one thread at a time, in any order. The timeline
 * numbers transitions and contacts, keeps values that differ, finds the phase, and dates the release to the lift. There
 * it estimates the velocity of every key as `kymo velocity` does. A mistake of order, such as a finish without a start
 * or two releases, becomes an event. Its recorder gets everything, and you may use the recorder beside it and free it
 * earlier. */

typedef struct kymograph_timeline kymograph_timeline;

/* distance: the distance of a progress of 1 in points, or 0 if it is not known. Returns NULL without a recorder. */
KYMOGRAPH_API kymograph_timeline *kymograph_timeline_new(kymograph_recorder *recorder, double distance);
/* Records the release that waited for the end of its transition, and frees the handle. Call it before
 * kymograph_recorder_finish. */
KYMOGRAPH_API void kymograph_timeline_free(kymograph_timeline *timeline);
/* The rule with which the app decides, by its name in scenario files: "progress", "velocity", "gnome", ….
 * KYMOGRAPH_NONE means the rule's own threshold. With a rule each release gets a decision with margins. Returns
 * KYMOGRAPH_MISUSE if the rule is unknown. */
KYMOGRAPH_API int32_t kymograph_timeline_set_rule(kymograph_timeline *timeline, const char *rule, ptrdiff_t rule_length,
                                                  double threshold, double velocity_threshold, kymograph_error *error);
/* A transition begins. Returns its number, from 0, or -1 without a timeline. */
KYMOGRAPH_API int32_t kymograph_timeline_start(kymograph_timeline *timeline, const char *from, ptrdiff_t from_length,
                                               const char *to, ptrdiff_t to_length, int64_t time_ns);
/* The transition's progress, 0 to 1, or beyond if it overshoots. The time is the time of its computation: the event's
 * while a finger is down, and the frame's afterwards. */
KYMOGRAPH_API void kymograph_timeline_progress(kymograph_timeline *timeline, double progress, int64_t time_ns);
/* Any other number that moves. */
KYMOGRAPH_API void kymograph_timeline_value(kymograph_timeline *timeline, const char *name, ptrdiff_t name_length,
                                            const char *unit, ptrdiff_t unit_length, double value, int64_t time_ns);
/* `contact` is any number that identifies the contact as long as it is down. x and y are in points. */
KYMOGRAPH_API void kymograph_timeline_touch(kymograph_timeline *timeline, int64_t contact, int32_t touch_phase, double x,
                                            double y, int64_t time_ns);
/* The app finishes (KYMOGRAPH_FINISH) or cancels (KYMOGRAPH_CANCEL), and settles from now on. KYMOGRAPH_LATER: a widget
 * decides by itself, and kymograph_timeline_complete has the outcome. */
KYMOGRAPH_API void kymograph_timeline_release(kymograph_timeline *timeline, int32_t outcome, int64_t time_ns);
/* The transition is over. is_finished: whether it ended at its target. */
KYMOGRAPH_API void kymograph_timeline_complete(kymograph_timeline *timeline, int32_t is_finished, int64_t time_ns);
/* An element's pose from now on, or NULL if it is gone. */
KYMOGRAPH_API void kymograph_timeline_see(kymograph_timeline *timeline, const char *id, ptrdiff_t id_length,
                                          const kymograph_pose *pose);
/* A frame is shown, with every present element. next_ns: the expected time of the next frame, or 0 if not known. */
KYMOGRAPH_API void kymograph_timeline_frame(kymograph_timeline *timeline, int64_t time_ns, int64_t next_ns);
/* Whether the timeline wants another frame: something moves, or no frame has shown its end yet. */
KYMOGRAPH_API int32_t kymograph_timeline_needs_frame(kymograph_timeline *timeline);

/* MARK: Reader. For one thread at a time. It never changes the file, and reads one that is being recorded, too. */

typedef struct kymograph_reader kymograph_reader;

typedef struct kymograph_session {
  uint32_t size;
  int32_t is_clean; /* whether its recorder finished */
  int64_t number;
  int64_t end_ns;   /* -1 if it is not clean */
  int64_t sample_count, frame_count, touch_count, event_count, lost_count; /* -1 if it is not clean */
  int32_t key_count, item_count;
  kymograph_text name, uuid, software, outcome; /* the reader's, as long as it is open */
} kymograph_session;
typedef struct kymograph_key_info {
  uint32_t size;
  int32_t key, role;
  int32_t reserved;
  int64_t sample_count; /* -1 unless the session is loaded */
  kymograph_text name, unit; /* the reader's, as long as it is open */
} kymograph_key_info;

/* Opens a recording. Its list of sessions is the one of this moment. After an error *reader is NULL. */
KYMOGRAPH_API int32_t kymograph_reader_open(const char *path, ptrdiff_t path_length, kymograph_reader **reader,
                                            kymograph_error *error);
KYMOGRAPH_API void kymograph_reader_free(kymograph_reader *reader);
KYMOGRAPH_API int64_t kymograph_reader_session_count(kymograph_reader *reader);
/* A session by its index, from 0. */
KYMOGRAPH_API int32_t kymograph_reader_session(kymograph_reader *reader, int64_t index, kymograph_session *session,
                                               kymograph_error *error);
/* A key by its index, from 0, in a session by its number, from 1. */
KYMOGRAPH_API int32_t kymograph_reader_key(kymograph_reader *reader, int64_t session, int64_t index,
                                           kymograph_key_info *info, kymograph_error *error);
/* Reads all values of a session in one pass and keeps them by key until the next load. */
KYMOGRAPH_API int32_t kymograph_reader_load(kymograph_reader *reader, int64_t session, kymograph_error *error);
/* The loaded values of a key, in the order of time. A phase is KYMOGRAPH_IDLE, …_DRIVING or …_SETTLING. The arrays
 * belong to the reader until the next load or free. */
KYMOGRAPH_API int32_t kymograph_reader_columns(kymograph_reader *reader, int32_t key, size_t *count,
                                               const int64_t **times_ns, const double **values, const uint8_t **phases,
                                               kymograph_error *error);

#ifdef __cplusplus
}
#endif

#endif
