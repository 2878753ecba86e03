#include "FaultDisk.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The log of everything that happened to the files of a disk.

int fault_disk_name(fault_disk *disk, const char *path) {
  const char *name = path + strlen(disk->folder);
  for (int index = 0; index < disk->nameCount; index++) {
    if (strcmp(disk->names[index], name) == 0) return index;
  }
  disk->names = realloc(disk->names, sizeof *disk->names * (size_t)(disk->nameCount + 1));
  disk->names[disk->nameCount] = strdup(name);
  return disk->nameCount++;
}

void fault_disk_note(
  fault_disk *disk, log_kind kind, int file, int64_t offset, const void *bytes, size_t size
) {
  if (!disk->isLogging) return;
  if (disk->entryCount == disk->entryCapacity) {
    disk->entryCapacity = disk->entryCapacity * 2 + 256;
    disk->entries = realloc(disk->entries, sizeof *disk->entries * (size_t)disk->entryCapacity);
  }
  log_entry entry = {kind, file, offset, size, NULL};
  if (size > 0) {
    entry.bytes = malloc(size);
    memcpy(entry.bytes, bytes, size);
  }
  disk->entries[disk->entryCount++] = entry;
}

void fault_disk_note_found(fault_disk *disk, const char *path) {
  if (!disk->isLogging) return;
  int name = fault_disk_name(disk, path);
  for (int64_t index = 0; index < disk->entryCount; index++) {
    log_entry *entry = &disk->entries[index];
    if (entry->kind != LOG_MARK && entry->file == name) return;
    if ((entry->kind == LOG_RENAME || entry->kind == LOG_LINK) && entry->offset == name) return;
  }
  FILE *file = fopen(path, "rb");
  if (!file) return;
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  unsigned char *bytes = malloc(size > 0 ? (size_t)size : 1);
  size_t count = fread(bytes, 1, size > 0 ? (size_t)size : 0, file);
  fclose(file);
  fault_disk_note(disk, LOG_FOUND, name, 0, bytes, count);
  free(bytes);
}

static void forget_entries(fault_disk *disk) {
  for (int64_t index = 0; index < disk->entryCount; index++) free(disk->entries[index].bytes);
  free(disk->entries);
  disk->entries = NULL;
  disk->entryCount = 0;
  disk->entryCapacity = 0;
}

void fault_disk_forget(fault_disk *disk) {
  forget_entries(disk);
  for (int index = 0; index < disk->nameCount; index++) free(disk->names[index]);
  free(disk->names);
  disk->names = NULL;
  disk->nameCount = 0;
}

void fault_disk_begin_log(fault_disk *disk) {
  pthread_mutex_lock(&disk->lock);
  forget_entries(disk);
  disk->isLogging = true;
  DIR *folder = opendir(disk->folder);
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s%s", disk->folder, entry->d_name);
    if (entry->d_name[0] != '.' && length < (int)sizeof path) fault_disk_note_found(disk, path);
  }
  if (folder) closedir(folder);
  pthread_mutex_unlock(&disk->lock);
}

void fault_disk_mark(fault_disk *disk, int64_t number) {
  pthread_mutex_lock(&disk->lock);
  fault_disk_note(disk, LOG_MARK, -1, number, NULL, 0);
  pthread_mutex_unlock(&disk->lock);
}

int64_t fault_disk_operations(fault_disk *disk) {
  pthread_mutex_lock(&disk->lock);
  int64_t count = disk->entryCount;
  pthread_mutex_unlock(&disk->lock);
  return count;
}

int64_t fault_disk_newest_mark(fault_disk *disk, int64_t operations, int64_t none) {
  pthread_mutex_lock(&disk->lock);
  int64_t index = operations < disk->entryCount ? operations : disk->entryCount;
  int64_t mark = none;
  while (--index >= 0) {
    if (disk->entries[index].kind == LOG_MARK) {
      mark = disk->entries[index].offset;
      break;
    }
  }
  pthread_mutex_unlock(&disk->lock);
  return mark;
}

int64_t fault_disk_next_write(fault_disk *disk, int64_t from, const char *name) {
  pthread_mutex_lock(&disk->lock);
  int64_t found = -1;
  for (int64_t index = from > 0 ? from : 0; index < disk->entryCount && found < 0; index++) {
    log_entry *entry = &disk->entries[index];
    if (entry->kind == LOG_WRITE && strcmp(disk->names[entry->file], name) == 0) found = index;
  }
  pthread_mutex_unlock(&disk->lock);
  return found;
}
