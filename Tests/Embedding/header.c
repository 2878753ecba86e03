// The header alone, in any C and C++: the sizes and places that never change, and the functions inside of it.
#include <kymograph.h>

// A field of a negative width stops the compiler; C99 knows no other assertion.
#define HOLDS(name, condition) struct name { int holds : (condition) ? 1 : -1; }

HOLDS(text_size, sizeof(kymograph_text) == 16);
HOLDS(error_size, sizeof(kymograph_error) == 1024);
HOLDS(error_message, offsetof(kymograph_error, message) == 4);
HOLDS(pose_size, sizeof(kymograph_pose) == 96);
HOLDS(pose_alpha, offsetof(kymograph_pose, alpha) == 32);
HOLDS(pose_flags, offsetof(kymograph_pose, flags) == 92);
HOLDS(field_size, sizeof(kymograph_field) == 56);
HOLDS(field_text, offsetof(kymograph_field, text) == 40);
// The first release's fields of the structs that may grow.
HOLDS(options_salt, offsetof(kymograph_recorder_options, salt) == 88);
HOLDS(options_storage, offsetof(kymograph_recorder_options, storage) == 84);
HOLDS(options_size, sizeof(kymograph_recorder_options) >= 104);
HOLDS(frame_height, offsetof(kymograph_frame, content_height) == 48);
HOLDS(frame_size, sizeof(kymograph_frame) >= 56);
HOLDS(decision_margin, offsetof(kymograph_decision, margin_velocity) == 112);
HOLDS(decision_size, sizeof(kymograph_decision) >= 120);
HOLDS(session_outcome, offsetof(kymograph_session, outcome) == 120);
HOLDS(session_size, sizeof(kymograph_session) >= 136);
HOLDS(key_unit, offsetof(kymograph_key_info, unit) == 40);
HOLDS(key_size, sizeof(kymograph_key_info) >= 56);

int main(void) {
  kymograph_text text = kymograph_text_make("a");
  kymograph_recorder_options options = kymograph_recorder_options_make();
  kymograph_pose pose = kymograph_pose_of_rectangle(10, 20, 30, 40);
  kymograph_frame frame = kymograph_frame_make(7);
  kymograph_decision decision = kymograph_decision_make();
  int is_right = text.length == KYMOGRAPH_NUL && options.size == sizeof options && options.name.utf8 == NULL &&
                 pose.center_x == 25 && pose.center_y == 40 && pose.alpha == 1 && frame.size == sizeof frame &&
                 frame.time_ns == 7 && frame.progress != frame.progress && decision.size == sizeof decision &&
                 decision.margin_velocity != decision.margin_velocity &&
                 kymograph_abi_version() == (KYMOGRAPH_ABI_MAJOR << 16 | KYMOGRAPH_ABI_MINOR);
  return is_right ? 0 : 1;
}
