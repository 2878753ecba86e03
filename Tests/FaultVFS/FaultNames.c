#define _GNU_SOURCE

#include "FaultDisk.h"

// The calls on names and files that our own code makes without SQLite. They stand before the system's in
// the tests' program, note what happens in watched folders, and hand it on.

#ifdef __linux__

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Thread_local bool fault_is_inside;

/// The disk whose folder a file lies in, locked and held for the caller; NULL for all others.
static fault_disk *locked_disk_of(const char *path, char *full) {
  if (fault_is_inside || !path) return NULL;
  char folder[PATH_MAX];
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  int length = slash ? (int)(slash - path) : 1;
  if (snprintf(folder, sizeof folder, "%.*s", length, slash ? path : ".") >= (int)sizeof folder) return NULL;
  if (!realpath(folder[0] ? folder : "/", full)) return NULL;
  size_t end = strlen(full);
  if (end + strlen(name) + 2 > PATH_MAX) return NULL;
  full[end] = '/';
  strcpy(full + end + 1, name);
  fault_disk *disk = fault_disk_of(full);
  if (disk) pthread_mutex_lock(&disk->lock);
  return disk;
}

static void let_go(fault_disk *disk) {
  pthread_mutex_unlock(&disk->lock);
  fault_disk_let_go(disk);
}

/// What is synced is noted, and not synced in truth.
int fsync(int file) {
  static int (*system)(int);
  if (!system) system = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 2);
  if (length <= 0) return system(file);
  path[length] = 0;
  fault_disk *disk = fault_disk_of(path);
  if (!disk) {
    strcpy(path + length, "/");
    disk = fault_disk_of(path);
    if (!disk) return system(file);
    pthread_mutex_lock(&disk->lock);
    fault_disk_note(disk, LOG_SYNC_FOLDER, -1, 0, NULL, 0);
  } else {
    pthread_mutex_lock(&disk->lock);
    fault_disk_note(disk, LOG_SYNC, fault_disk_name(disk, path), 0, NULL, 0);
  }
  let_go(disk);
  return 0;
}

int unlink(const char *path) {
  static int (*system)(const char *);
  if (!system) system = (int (*)(const char *))dlsym(RTLD_NEXT, "unlink");
  char full[PATH_MAX];
  fault_disk *disk = locked_disk_of(path, full);
  if (!disk) return system(path);
  int code = system(path);
  if (code == 0) fault_disk_note(disk, LOG_DELETE, fault_disk_name(disk, full), 0, NULL, 0);
  let_go(disk);
  return code;
}

/// Two names of one folder.
static int note_pair(log_kind kind, int (*system)(const char *, const char *), const char *from, const char *to) {
  char full[PATH_MAX], fullTo[PATH_MAX];
  fault_disk *disk = locked_disk_of(from, full);
  if (!disk) return system(from, to);
  int code = system(from, to);
  let_go(disk);
  if (code != 0 || !(disk = locked_disk_of(to, fullTo))) return code;
  fault_disk_note(disk, kind, fault_disk_name(disk, full), fault_disk_name(disk, fullTo), NULL, 0);
  let_go(disk);
  return code;
}

int rename(const char *from, const char *to) {
  static int (*system)(const char *, const char *);
  if (!system) system = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
  return note_pair(LOG_RENAME, system, from, to);
}

static _Thread_local int64_t folders_listed;

DIR *opendir(const char *path) {
  static DIR *(*system)(const char *);
  if (!system) system = (DIR * (*)(const char *)) dlsym(RTLD_NEXT, "opendir");
  folders_listed++;
  return system(path);
}

int64_t fault_thread_folders_listed(void) { return folders_listed; }

int link(const char *from, const char *to) {
  static int (*system)(const char *, const char *);
  if (!system) system = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "link");
  return note_pair(LOG_LINK, system, from, to);
}

#else

_Thread_local bool fault_is_inside;

int64_t fault_thread_folders_listed(void) { return 0; }

#endif
