#ifndef KYMOGRAPH_FAULT_VFS_H
#define KYMOGRAPH_FAULT_VFS_H

#include <stdbool.h>
#include <stdint.h>

// A disk that fails and loses power on demand.
//
// A shim stands before SQLite's own file system as the process's default. Files in folders that
// nobody watches go straight to the file system below, so tests beside it notice nothing; SQLite and
// the code under test are opened as always. Everything in a watched folder is counted, may fail, and
// may be written down in order, so that the files which a power cut leaves can be made from it.
//
// The index of a write-ahead log (`-shm`) is memory and belongs to the file system below.

/// A watched folder.
typedef struct fault_disk fault_disk;

/// The sorts of calls that are counted and may fail.
typedef enum {
  FAULT_OPEN,
  FAULT_READ,
  FAULT_WRITE,
  FAULT_SYNC,
  FAULT_TRUNCATE,
  FAULT_DELETE,
  /// Taking a lock, of the database file or of the log's index; letting go never fails.
  FAULT_LOCK,
  /// Mapping a page of the log's index.
  FAULT_SHARED_MEMORY,
  FAULT_KINDS
} fault_kind;

/// What a failing call says.
typedef enum {
  /// EIO: a failing write has stored the first half of its bytes.
  FAULT_INPUT_OUTPUT,
  /// ENOSPC: a failing write has stored nothing. Calls that need no room say EIO.
  FAULT_NO_SPACE
} fault_reason;

/// Watches a folder that exists; files that SQLite opens there from now on go through the shim.
/// Returns NULL when there is no such folder.
fault_disk *fault_disk_watch(const char *folder);

/// Ends the watch. Files that are open keep the disk until they are closed.
void fault_disk_end(fault_disk *disk);

/// Lets the `nth` call of a kind from now on fail, counted from 1, and all later ones too when
/// `forGood`. Counts of calls and failures begin anew.
void fault_disk_fail(
  fault_disk *disk, fault_kind kind, int64_t nth, bool forGood, fault_reason reason);

/// Lets nothing fail any more. Counts begin anew.
void fault_disk_heal(fault_disk *disk);

/// Calls of a kind since the counts began.
int64_t fault_disk_calls(fault_disk *disk, fault_kind kind);

/// Calls that failed since the counts began.
int64_t fault_disk_failures(fault_disk *disk);

/// Bytes by which the files may grow from now on, all together; what is cut off or deleted is given
/// back. Growing further says ENOSPC. A negative number takes the limit away.
void fault_disk_leave_room(fault_disk *disk, int64_t bytes);

/// Begins to write down what happens to the files. What is in the folder counts as safe.
void fault_disk_begin_log(fault_disk *disk);

/// Puts a number of the test's own into the log.
void fault_disk_mark(fault_disk *disk, int64_t number);

/// Operations in the log so far, marks among them.
int64_t fault_disk_operations(fault_disk *disk);

/// The newest mark among the first operations; `none` when there is no mark among them.
int64_t fault_disk_newest_mark(fault_disk *disk, int64_t operations, int64_t none);

/// The first operation from a position on that writes to a file; its number, or -1 when none does.
int64_t fault_disk_next_write(fault_disk *disk, int64_t from, const char *name);

/// Makes, in another folder, the files as a power cut after the first operations may leave them.
///
/// What was synced is there. Of everything later each sector of 512 bytes is kept, dropped, or torn
/// in the middle, with the old bytes or noise in its second half; lengths may come late too. Of what happened
/// to names since the folder was last synced (files made, renamed, deleted) the disk has a beginning, or
/// nothing. The same seed makes the same files. Returns the number of files, or a negative number when they
/// cannot be written.
int fault_disk_cut(fault_disk *disk, int64_t operations, uint64_t seed, const char *folder);

/// How often a folder was opened for listing on this thread; 0 where calls on names are not seen.
int64_t fault_thread_folders_listed(void);

/// Whether SQLite really sleeps on this thread while it waits for a lock. Without sleep it asks as
/// often as always and gives up at once.
void fault_thread_sleeps(bool sleeps);

/// Calls a function, once, when SQLite is about to sleep on this thread while it waits for a lock.
void fault_thread_at_next_sleep(void (*call)(void *context), void *context);

/// Lets the `nth` allocation of SQLite in this process fail, and all later ones when `forGood`. Works
/// only before anything else has used SQLite: returns false afterwards. 0 lets none fail.
bool fault_memory_fail(int64_t nth, bool forGood);

/// Allocations since the last call of `fault_memory_fail`.
int64_t fault_memory_calls(void);

#endif
