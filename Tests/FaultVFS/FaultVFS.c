#include "FaultDisk.h"

#include <limits.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// The shim: SQLite's file system with our counting, failing and logging before it.

typedef struct {
  sqlite3_file base;
  fault_disk *disk;
  int name;
  /// Whether the first sync is the folder's too, as SQLite does it for a journal or log that it opens to make.
  bool syncsFolder;
  /// The file of the file system below; it lies behind this struct.
  sqlite3_file *real;
} fault_file;

static sqlite3_vfs *below;
static sqlite3_vfs shim;
static sqlite3_io_methods methods;
static pthread_mutex_t disksLock = PTHREAD_MUTEX_INITIALIZER;
static fault_disk *disks;

// MARK: Disks

void fault_disk_let_go(fault_disk *disk) {
  pthread_mutex_lock(&disksLock);
  bool isLast = --disk->owners == 0;
  if (isLast) {
    for (fault_disk **place = &disks; *place; place = &(*place)->next) {
      if (*place == disk) {
        *place = disk->next;
        break;
      }
    }
  }
  pthread_mutex_unlock(&disksLock);
  if (!isLast) return;
  fault_disk_forget(disk);
  pthread_mutex_destroy(&disk->lock);
  free(disk->folder);
  free(disk);
}

fault_disk *fault_disk_of(const char *path) {
  if (!path) return NULL;
  pthread_mutex_lock(&disksLock);
  fault_disk *disk = disks;
  while (disk && !(disk->isWatched && strncmp(path, disk->folder, strlen(disk->folder)) == 0)) {
    disk = disk->next;
  }
  if (disk) disk->owners++;
  pthread_mutex_unlock(&disksLock);
  return disk;
}

/// Counts a call; whether it has to fail. The disk is locked.
static bool fails(fault_disk *disk, fault_kind kind) {
  int64_t call = ++disk->calls[kind];
  int64_t nth = disk->failing[kind];
  bool isFailing = nth > 0 && (call == nth || (disk->isForGood[kind] && call > nth));
  if (isFailing) disk->failures++;
  return isFailing;
}

static bool call_fails(fault_disk *disk, fault_kind kind) {
  pthread_mutex_lock(&disk->lock);
  bool isFailing = fails(disk, kind);
  pthread_mutex_unlock(&disk->lock);
  return isFailing;
}

// MARK: Files

static sqlite3_file *real(sqlite3_file *file) { return ((fault_file *)file)->real; }

static int file_close(sqlite3_file *file) {
  fault_file *own = (fault_file *)file;
  int code = own->real->pMethods ? own->real->pMethods->xClose(own->real) : SQLITE_OK;
  fault_disk_let_go(own->disk);
  return code;
}

static int file_read(sqlite3_file *file, void *into, int count, sqlite3_int64 offset) {
  if (call_fails(((fault_file *)file)->disk, FAULT_READ)) return SQLITE_IOERR_READ;
  return real(file)->pMethods->xRead(real(file), into, count, offset);
}

/// Writes and notes. The disk is locked.
static int write_through(
  fault_file *own, const void *bytes, int count, sqlite3_int64 offset
) {
  if (count <= 0) return SQLITE_OK;
  fault_disk_note(own->disk, LOG_WRITE, own->name, offset, bytes, (size_t)count);
  return own->real->pMethods->xWrite(own->real, bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  fault_file *own = (fault_file *)file;
  fault_disk *disk = own->disk;
  pthread_mutex_lock(&disk->lock);
  int code = SQLITE_OK;
  sqlite3_int64 size = 0;
  own->real->pMethods->xFileSize(own->real, &size);
  sqlite3_int64 growth = offset + count > size ? offset + count - size : 0;
  if (fails(disk, FAULT_WRITE)) {
    if (disk->reason == FAULT_NO_SPACE) {
      code = SQLITE_FULL;
    } else {
      write_through(own, bytes, count / 2, offset);
      code = SQLITE_IOERR_WRITE;
    }
  } else if (disk->isLimited && growth > disk->room) {
    disk->failures++;
    code = SQLITE_FULL;
  } else {
    if (disk->isLimited) disk->room -= growth;
    code = write_through(own, bytes, count, offset);
  }
  pthread_mutex_unlock(&disk->lock);
  return code;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  fault_file *own = (fault_file *)file;
  fault_disk *disk = own->disk;
  pthread_mutex_lock(&disk->lock);
  int code = SQLITE_IOERR_TRUNCATE;
  if (!fails(disk, FAULT_TRUNCATE)) {
    sqlite3_int64 before = 0;
    own->real->pMethods->xFileSize(own->real, &before);
    if (disk->isLimited && before > size) disk->room += before - size;
    fault_disk_note(disk, LOG_TRUNCATE, own->name, size, NULL, 0);
    code = own->real->pMethods->xTruncate(own->real, size);
  }
  pthread_mutex_unlock(&disk->lock);
  return code;
}

/// Nothing is synced in truth: the machine that runs the tests keeps its power.
static int file_sync(sqlite3_file *file, int flags) {
  (void)flags;
  fault_file *own = (fault_file *)file;
  pthread_mutex_lock(&own->disk->lock);
  bool isFailing = fails(own->disk, FAULT_SYNC);
  if (!isFailing) {
    fault_disk_note(own->disk, LOG_SYNC, own->name, 0, NULL, 0);
    if (own->syncsFolder) fault_disk_note(own->disk, LOG_SYNC_FOLDER, -1, 0, NULL, 0);
    own->syncsFolder = false;
  }
  pthread_mutex_unlock(&own->disk->lock);
  return isFailing ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}

static int file_lock(sqlite3_file *file, int level) {
  if (call_fails(((fault_file *)file)->disk, FAULT_LOCK)) return SQLITE_IOERR_LOCK;
  return real(file)->pMethods->xLock(real(file), level);
}

static int file_unlock(sqlite3_file *file, int level) {
  return real(file)->pMethods->xUnlock(real(file), level);
}

static int file_is_reserved(sqlite3_file *file, int *result) {
  return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int file_sector_size(sqlite3_file *file) {
  return real(file)->pMethods->xSectorSize(real(file));
}

static int file_device(sqlite3_file *file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int file_map(sqlite3_file *file, int page, int size, int extend, void volatile **into) {
  if (call_fails(((fault_file *)file)->disk, FAULT_SHARED_MEMORY)) return SQLITE_IOERR_SHMMAP;
  return real(file)->pMethods->xShmMap(real(file), page, size, extend, into);
}

static int file_map_lock(sqlite3_file *file, int offset, int count, int flags) {
  bool isTaking = (flags & SQLITE_SHM_LOCK) != 0;
  if (isTaking && call_fails(((fault_file *)file)->disk, FAULT_LOCK)) return SQLITE_IOERR_SHMLOCK;
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void file_map_barrier(sqlite3_file *file) {
  real(file)->pMethods->xShmBarrier(real(file));
}

static int file_unmap(sqlite3_file *file, int isLast) {
  return real(file)->pMethods->xShmUnmap(real(file), isLast);
}

// MARK: The file system

static int vfs_open(
  sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *outFlags
) {
  (void)vfs;
  fault_disk *disk = fault_disk_of(path);
  if (!disk) return below->xOpen(below, path, file, flags, outFlags);
  fault_file *own = (fault_file *)file;
  memset(own, 0, sizeof *own);
  pthread_mutex_lock(&disk->lock);
  int code = SQLITE_CANTOPEN;
  if (!fails(disk, FAULT_OPEN)) {
    int exists = 0;
    below->xAccess(below, path, SQLITE_ACCESS_EXISTS, &exists);
    if (exists) fault_disk_note_found(disk, path);
    own->disk = disk;
    own->name = fault_disk_name(disk, path);
    own->syncsFolder = (flags & SQLITE_OPEN_CREATE) && (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL));
    own->real = (sqlite3_file *)((char *)own + (sizeof *own + 15) / 16 * 16);
    code = below->xOpen(below, path, own->real, flags, outFlags);
    if (code == SQLITE_OK && !exists) fault_disk_note(disk, LOG_MADE, own->name, 0, NULL, 0);
    if (own->real->pMethods) own->base.pMethods = &methods;
  }
  pthread_mutex_unlock(&disk->lock);
  if (!own->base.pMethods) fault_disk_let_go(disk);
  return code;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int syncFolder) {
  (void)vfs;
  fault_disk *disk = fault_disk_of(path);
  if (!disk) return below->xDelete(below, path, syncFolder);
  pthread_mutex_lock(&disk->lock);
  int code = SQLITE_IOERR_DELETE;
  if (!fails(disk, FAULT_DELETE)) {
    fault_disk_note_found(disk, path);
    fault_is_inside = true;
    code = below->xDelete(below, path, 0);
    fault_is_inside = false;
    if (code == SQLITE_OK) {
      fault_disk_note(disk, LOG_DELETE, fault_disk_name(disk, path), syncFolder ? 1 : 0, NULL, 0);
    }
  }
  pthread_mutex_unlock(&disk->lock);
  fault_disk_let_go(disk);
  return code;
}

static int vfs_access(sqlite3_vfs *vfs, const char *path, int flags, int *result) {
  (void)vfs;
  return below->xAccess(below, path, flags, result);
}

static int vfs_full_path(sqlite3_vfs *vfs, const char *path, int size, char *into) {
  (void)vfs;
  return below->xFullPathname(below, path, size, into);
}

static int vfs_randomness(sqlite3_vfs *vfs, int count, char *into) {
  (void)vfs;
  return below->xRandomness(below, count, into);
}

static _Thread_local bool isAwake;

void fault_thread_sleeps(bool sleeps) { isAwake = !sleeps; }

static _Thread_local void (*sleepCall)(void *);
static _Thread_local void *sleepContext;

void fault_thread_at_next_sleep(void (*call)(void *context), void *context) {
  sleepCall = call;
  sleepContext = context;
}

static int vfs_sleep(sqlite3_vfs *vfs, int microseconds) {
  (void)vfs;
  void (*call)(void *) = sleepCall;
  sleepCall = NULL;
  if (call) call(sleepContext);
  if (isAwake) return microseconds;
  return below->xSleep(below, microseconds);
}

static int vfs_time(sqlite3_vfs *vfs, double *time) {
  (void)vfs;
  return below->xCurrentTime(below, time);
}

static int vfs_time_whole(sqlite3_vfs *vfs, sqlite3_int64 *time) {
  (void)vfs;
  return below->xCurrentTimeInt64(below, time);
}

static int vfs_last_error(sqlite3_vfs *vfs, int size, char *into) {
  (void)vfs;
  return below->xGetLastError(below, size, into);
}

static void install(void) {
  if (sqlite3_initialize() != SQLITE_OK) return;
  below = sqlite3_vfs_find(NULL);
  if (!below) return;
  methods = (sqlite3_io_methods){
    2, file_close, file_read, file_write, file_truncate, file_sync, file_size, file_lock,
    file_unlock, file_is_reserved, file_control, file_sector_size, file_device, file_map,
    file_map_lock, file_map_barrier, file_unmap, NULL, NULL,
  };
  shim = (sqlite3_vfs){
    .iVersion = 2,
    .szOsFile = (int)(sizeof(fault_file) + 16) + below->szOsFile,
    .mxPathname = below->mxPathname,
    .zName = "kymograph-fault",
    .xOpen = vfs_open,
    .xDelete = vfs_delete,
    .xAccess = vfs_access,
    .xFullPathname = vfs_full_path,
    .xRandomness = vfs_randomness,
    .xSleep = vfs_sleep,
    .xCurrentTime = vfs_time,
    .xGetLastError = vfs_last_error,
    .xCurrentTimeInt64 = vfs_time_whole,
  };
  sqlite3_vfs_register(&shim, 1);
}

// MARK: What a test calls

fault_disk *fault_disk_watch(const char *folder) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  char path[PATH_MAX];
  if (!below || !realpath(folder, path)) return NULL;
  fault_disk *disk = calloc(1, sizeof *disk);
  size_t length = strlen(path);
  disk->folder = calloc(1, length + 2);
  memcpy(disk->folder, path, length);
  disk->folder[length] = '/';
  disk->owners = 1;
  disk->isWatched = true;
  pthread_mutex_init(&disk->lock, NULL);
  pthread_mutex_lock(&disksLock);
  disk->next = disks;
  disks = disk;
  pthread_mutex_unlock(&disksLock);
  return disk;
}

void fault_disk_end(fault_disk *disk) {
  pthread_mutex_lock(&disksLock);
  disk->isWatched = false;
  pthread_mutex_unlock(&disksLock);
  fault_disk_let_go(disk);
}

void fault_disk_heal(fault_disk *disk) {
  pthread_mutex_lock(&disk->lock);
  memset(disk->calls, 0, sizeof disk->calls);
  memset(disk->failing, 0, sizeof disk->failing);
  memset(disk->isForGood, 0, sizeof disk->isForGood);
  disk->failures = 0;
  pthread_mutex_unlock(&disk->lock);
}

void fault_disk_fail(
  fault_disk *disk, fault_kind kind, int64_t nth, bool forGood, fault_reason reason
) {
  fault_disk_heal(disk);
  pthread_mutex_lock(&disk->lock);
  disk->failing[kind] = nth;
  disk->isForGood[kind] = forGood;
  disk->reason = reason;
  pthread_mutex_unlock(&disk->lock);
}

int64_t fault_disk_calls(fault_disk *disk, fault_kind kind) {
  pthread_mutex_lock(&disk->lock);
  int64_t calls = disk->calls[kind];
  pthread_mutex_unlock(&disk->lock);
  return calls;
}

int64_t fault_disk_failures(fault_disk *disk) {
  pthread_mutex_lock(&disk->lock);
  int64_t failures = disk->failures;
  pthread_mutex_unlock(&disk->lock);
  return failures;
}

void fault_disk_leave_room(fault_disk *disk, int64_t bytes) {
  pthread_mutex_lock(&disk->lock);
  disk->isLimited = bytes >= 0;
  disk->room = bytes;
  pthread_mutex_unlock(&disk->lock);
}
