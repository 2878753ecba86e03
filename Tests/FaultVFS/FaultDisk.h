#ifndef KYMOGRAPH_FAULT_DISK_H
#define KYMOGRAPH_FAULT_DISK_H

#include "FaultVFS.h"

#include <pthread.h>
#include <stddef.h>

// What the shim, the log and the power cut share.

/// What is written down.
typedef enum {
  /// A file as it was found when the log began or when it was first opened.
  LOG_FOUND,
  LOG_MADE,
  LOG_WRITE,
  LOG_TRUNCATE,
  LOG_SYNC,
  /// A deletion; `offset` is 1 when the folder is synced with it.
  LOG_DELETE,
  /// Another name for a file, in place of the old one or beside it; `offset` is the new name's position.
  LOG_RENAME,
  LOG_LINK,
  LOG_SYNC_FOLDER,
  /// A number of the test's; `offset` is the number.
  LOG_MARK
} log_kind;

typedef struct {
  log_kind kind;
  /// Position of the file's name among the disk's names.
  int file;
  int64_t offset;
  size_t size;
  unsigned char *bytes;
} log_entry;

struct fault_disk {
  /// The folder's full path with a slash at its end.
  char *folder;
  fault_disk *next;
  /// The watch and each open file.
  int owners;
  bool isWatched;
  pthread_mutex_t lock;

  int64_t calls[FAULT_KINDS];
  int64_t failures;
  int64_t failing[FAULT_KINDS];
  bool isForGood[FAULT_KINDS];
  fault_reason reason;
  bool isLimited;
  int64_t room;

  bool isLogging;
  char **names;
  int nameCount;
  log_entry *entries;
  int64_t entryCount;
  int64_t entryCapacity;
};

/// The watched disk that a path lies on, held for the caller; NULL for all others.
fault_disk *fault_disk_of(const char *path);

/// Gives back what ``fault_disk_of`` gave.
void fault_disk_let_go(fault_disk *disk);

/// Whether the shim itself is calling the system on this thread.
extern _Thread_local bool fault_is_inside;

/// Position of a file's name, a new one when it is not known. The disk is locked.
int fault_disk_name(fault_disk *disk, const char *path);

/// Adds an entry when the disk is logging; the bytes are copied. The disk is locked.
void fault_disk_note(
  fault_disk *disk, log_kind kind, int file, int64_t offset, const void *bytes, size_t size);

/// Notes what a file holds, when the disk is logging and does not know the file. The disk is locked.
void fault_disk_note_found(fault_disk *disk, const char *path);

/// Frees the log and the names.
void fault_disk_forget(fault_disk *disk);

#endif
