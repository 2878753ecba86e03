#define _GNU_SOURCE
#include "kymograph_locks.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef F_OFD_SETLK

int kymograph_locks_install(void) { return 0; }

#else

// SQLite keeps one account of a file's locks for all of its connections in the process, and takes a lock through any of
// their descriptors. So all locks of a file go through one open file description: a duplicate of the first descriptor
// that asked, kept until the last connection has closed its own.

// Where readers lock a database: sqlite3.c, SHARED_FIRST and SHARED_SIZE.
enum { SHARED_FIRST = 0x40000002, SHARED_SIZE = 510 };

struct file {
  dev_t device;
  ino_t number;
  int descriptor; // the duplicate
  int users;      // descriptors of SQLite's that lock through it; 0: the place is free
  int is_writable;
  int is_shared; // whether the lock that readers take is taken
};

// A table that grows; a place never moves to another index. Used under the mutex.
static struct file *files;
static int file_count;
// For each descriptor the index of its file and 1; 0: none.
static int *file_of_descriptor;
static int descriptor_count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int can_write(int descriptor) { return (fcntl(descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY; }

static int set_lock(int descriptor, int type, off_t start, off_t length) {
  struct flock lock = {.l_type = (short)type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
  return fcntl(descriptor, F_OFD_SETLK, &lock);
}

static int make_room_for_descriptor(int descriptor) {
  if (descriptor < descriptor_count) return 1;
  int count = descriptor_count ? descriptor_count : 64;
  while (count <= descriptor) count *= 2;
  int *grown = realloc(file_of_descriptor, sizeof *grown * (size_t)count);
  if (!grown) return 0;
  for (int i = descriptor_count; i < count; i++) grown[i] = 0;
  file_of_descriptor = grown;
  descriptor_count = count;
  return 1;
}

// The index of a free place; -1 without memory.
static int free_place(void) {
  for (int i = 0; i < file_count; i++)
    if (!files[i].users) return i;
  int count = file_count ? file_count * 2 : 8;
  struct file *grown = realloc(files, sizeof *grown * (size_t)count);
  if (!grown) return -1;
  for (int i = file_count; i < count; i++) grown[i] = (struct file){.descriptor = -1};
  int place = file_count;
  files = grown;
  file_count = count;
  return place;
}

// Lets a writer's description take the place of a reader's, which cannot lock for writing.
static int let_write(struct file *file, int descriptor) {
  int duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  if (duplicate < 0) return 0;
  // Both hold the readers' lock for a moment, so no other process sees the file without it.
  if (file->is_shared && set_lock(duplicate, F_RDLCK, SHARED_FIRST, SHARED_SIZE)) {
    close(duplicate);
    return 0;
  }
  close(file->descriptor);
  file->descriptor = duplicate;
  file->is_writable = 1;
  return 1;
}

// The file that a descriptor locks; NULL if there is no memory or no descriptor left.
static struct file *file_of(int descriptor) {
  if (descriptor < 0 || !make_room_for_descriptor(descriptor)) return NULL;
  if (file_of_descriptor[descriptor]) return &files[file_of_descriptor[descriptor] - 1];
  struct stat facts;
  if (fstat(descriptor, &facts)) return NULL;
  for (int i = 0; i < file_count; i++) {
    struct file *file = &files[i];
    if (!file->users || file->device != facts.st_dev || file->number != facts.st_ino) continue;
    if (!file->is_writable && can_write(descriptor) && !let_write(file, descriptor)) return NULL;
    file->users++;
    file_of_descriptor[descriptor] = i + 1;
    return file;
  }
  int place = free_place();
  if (place < 0) return NULL;
  int duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  if (duplicate < 0) return NULL;
  files[place] = (struct file){
      .device = facts.st_dev,
      .number = facts.st_ino,
      .descriptor = duplicate,
      .users = 1,
      .is_writable = can_write(descriptor),
  };
  file_of_descriptor[descriptor] = place + 1;
  return &files[place];
}

static void note_shared(struct file *file, const struct flock *lock) {
  if (lock->l_whence != SEEK_SET) return;
  if (lock->l_start == SHARED_FIRST) file->is_shared = lock->l_type == F_RDLCK;
  if (lock->l_start == 0 && lock->l_len == 0 && lock->l_type == F_UNLCK) file->is_shared = 0;
}

// In place of fcntl: SQLite's questions about locks, and everything else as it is.
static int locks_fcntl(int descriptor, int command, ...) {
  va_list list;
  va_start(list, command);
  void *argument = va_arg(list, void *);
  va_end(list);
  int is_setting = command == F_SETLK || command == F_SETLKW;
  if (!is_setting && command != F_GETLK) return fcntl(descriptor, command, argument);
  struct flock *lock = argument;
  pthread_mutex_lock(&mutex);
  struct file *file = file_of(descriptor);
  int result = -1;
  if (file) {
    lock->l_pid = 0;
    // Nobody waits under the mutex: a lock that would have to be waited for is refused, and SQLite asks again.
    result = fcntl(file->descriptor, is_setting ? F_OFD_SETLK : F_OFD_GETLK, lock);
    if (!result && is_setting) note_shared(file, lock);
  } else {
    errno = ENOLCK;
  }
  int error = errno;
  pthread_mutex_unlock(&mutex);
  errno = error;
  return result;
}

static int locks_close(int descriptor) {
  pthread_mutex_lock(&mutex);
  if (descriptor >= 0 && descriptor < descriptor_count && file_of_descriptor[descriptor]) {
    struct file *file = &files[file_of_descriptor[descriptor] - 1];
    file_of_descriptor[descriptor] = 0;
    if (!--file->users) close(file->descriptor);
  }
  int result = close(descriptor), error = errno;
  pthread_mutex_unlock(&mutex);
  errno = error;
  return result;
}

// SQLite's mutexes that stand for the process, in the order in which it takes them. A child that was forked while another
// thread had one would wait for it for ever; above all for that of the list of files (VFS1), which is held while a lock is
// asked for.
static const int process_mutexes[] = {
    SQLITE_MUTEX_STATIC_MASTER, SQLITE_MUTEX_STATIC_OPEN, SQLITE_MUTEX_STATIC_APP1, SQLITE_MUTEX_STATIC_APP2,
    SQLITE_MUTEX_STATIC_APP3,   SQLITE_MUTEX_STATIC_VFS1, SQLITE_MUTEX_STATIC_VFS2, SQLITE_MUTEX_STATIC_VFS3,
    SQLITE_MUTEX_STATIC_LRU,    SQLITE_MUTEX_STATIC_PRNG, SQLITE_MUTEX_STATIC_MEM,  SQLITE_MUTEX_STATIC_PMEM,
};
enum { PROCESS_MUTEXES = sizeof process_mutexes / sizeof *process_mutexes };

static void before_fork(void) {
  for (int i = 0; i < PROCESS_MUTEXES; i++) sqlite3_mutex_enter(sqlite3_mutex_alloc(process_mutexes[i]));
  pthread_mutex_lock(&mutex);
}

static void after_fork(void) {
  pthread_mutex_unlock(&mutex);
  for (int i = PROCESS_MUTEXES; i-- > 0;) sqlite3_mutex_leave(sqlite3_mutex_alloc(process_mutexes[i]));
}

// A child shares the descriptions, and so the locks, which would stay as long as it lives. SQLite forbids it the
// connections of its parent anyway.
static void in_child(void) {
  for (int i = 0; i < descriptor_count; i++) {
    if (file_of_descriptor[i]) close(i);
    file_of_descriptor[i] = 0;
  }
  for (int i = 0; i < file_count; i++) {
    if (files[i].users) close(files[i].descriptor);
    files[i].users = 0;
  }
  after_fork();
}

static int is_installed;
static void install(void) {
  sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
  if (!vfs || vfs->iVersion < 3 || !vfs->xSetSystemCall) return;
  if (pthread_atfork(before_fork, after_fork, in_child)) return;
  if (vfs->xSetSystemCall(vfs, "close", (sqlite3_syscall_ptr)locks_close)) return;
  is_installed = vfs->xSetSystemCall(vfs, "fcntl", (sqlite3_syscall_ptr)locks_fcntl) == SQLITE_OK;
}

int kymograph_locks_install(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  return is_installed;
}

#endif
