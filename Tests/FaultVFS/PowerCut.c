#include "FaultDisk.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The files that a power cut may leave.

/// The unit that a disk writes whole or not at all: 512 bytes, the smallest in use.
enum { sectorBytes = 512 };

/// A file on the disk that lost its power.
typedef struct {
  bool exists;
  unsigned char *bytes;
  size_t size;
  size_t capacity;
  /// Operations since the file was last synced, as positions in the log.
  int64_t *waiting;
  int64_t waitingCount;
  int64_t waitingCapacity;
} image;

/// Steele, Lea and Flood's SplitMix64.
static uint64_t next(uint64_t *state) {
  uint64_t mixed = (*state += 0x9e3779b97f4a7c15u);
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 31);
}

static void resize(image *file, size_t size) {
  if (size > file->capacity) {
    file->capacity = size * 2;
    file->bytes = realloc(file->bytes, file->capacity);
  }
  if (size > file->size) memset(file->bytes + file->size, 0, size - file->size);
  file->size = size;
}

static void put(image *file, size_t offset, const unsigned char *bytes, size_t size) {
  if (offset + size > file->size) resize(file, offset + size);
  memcpy(file->bytes + offset, bytes, size);
}

/// An operation that reached the disk whole.
static void apply(image *file, const log_entry *entry) {
  switch (entry->kind) {
    case LOG_FOUND:
    case LOG_MADE:
      file->exists = true;
      resize(file, 0);
      if (entry->size > 0) put(file, 0, entry->bytes, entry->size);
      break;
    case LOG_WRITE: put(file, (size_t)entry->offset, entry->bytes, entry->size); break;
    case LOG_TRUNCATE: resize(file, (size_t)entry->offset); break;
    case LOG_DELETE:
      file->exists = false;
      resize(file, 0);
      break;
    case LOG_SYNC:
    case LOG_MARK: break;
  }
}

/// How a cut treats what was not synced: out of 256, how often a sector is kept and how often torn.
typedef struct {
  uint64_t kept;
  uint64_t torn;
} mercy;

/// A write of which the disk has some sectors.
static void apply_partly(image *file, const log_entry *entry, mercy mercy, uint64_t *random) {
  size_t start = (size_t)entry->offset;
  size_t end = start + entry->size;
  // The length may be there before the bytes are.
  if (next(random) % 2 == 0 && end > file->size) resize(file, end);
  for (size_t at = start; at < end;) {
    size_t stop = (at / sectorBytes + 1) * sectorBytes;
    if (stop > end) stop = end;
    const unsigned char *bytes = entry->bytes + (at - start);
    size_t size = stop - at;
    uint64_t fate = next(random) % 256;
    if (fate < mercy.kept) {
      put(file, at, bytes, size);
    } else if (fate < mercy.kept + mercy.torn) {
      put(file, at, bytes, size / 2);
      if (next(random) % 2 == 0) {
        for (size_t byte = size / 2; byte < size; byte++) {
          unsigned char noise = (unsigned char)next(random);
          put(file, at + byte, &noise, 1);
        }
      }
    }
    at = stop;
  }
}

/// What became of the operations that were not synced.
static void settle(image *file, const log_entry *entries, mercy mercy, uint64_t *random) {
  for (int64_t index = 0; index < file->waitingCount; index++) {
    const log_entry *entry = &entries[file->waiting[index]];
    if (entry->kind == LOG_WRITE) {
      if (file->exists) apply_partly(file, entry, mercy, random);
    } else if (next(random) % 256 < mercy.kept) {
      apply(file, entry);
    } else if (entry->kind == LOG_MADE || entry->kind == LOG_DELETE) {
      // A name that has not come or not gone: nothing that followed happened to it either.
      return;
    }
  }
}

static void wait_for_sync(image *file, int64_t operation) {
  if (file->waitingCount == file->waitingCapacity) {
    file->waitingCapacity = file->waitingCapacity * 2 + 16;
    file->waiting = realloc(file->waiting, sizeof *file->waiting * (size_t)file->waitingCapacity);
  }
  file->waiting[file->waitingCount++] = operation;
}

/// Everything up to a position in the list of what waits has reached the disk.
static void arrive(image *file, const log_entry *entries, int64_t count) {
  for (int64_t index = 0; index < count; index++) apply(file, &entries[file->waiting[index]]);
  file->waitingCount -= count;
  memmove(
    file->waiting, file->waiting + count, sizeof *file->waiting * (size_t)file->waitingCount);
}

/// File systems keep the order of names: what was deleted before any file is synced stays deleted.
static void arrive_deleted(image *file, const log_entry *entries) {
  for (int64_t index = file->waitingCount; index > 0; index--) {
    if (entries[file->waiting[index - 1]].kind == LOG_DELETE) {
      arrive(file, entries, index);
      return;
    }
  }
}

static void replay(image *files, int fileCount, const log_entry *entries, int64_t operation) {
  const log_entry *entry = &entries[operation];
  if (entry->kind == LOG_MARK) return;
  image *file = &files[entry->file];
  if (entry->kind == LOG_SYNC) {
    arrive(file, entries, file->waitingCount);
  } else {
    wait_for_sync(file, operation);
    if (entry->kind == LOG_FOUND) arrive(file, entries, file->waitingCount);
  }
  if (entry->kind == LOG_SYNC || (entry->kind == LOG_DELETE && entry->offset == 1)) {
    for (int index = 0; index < fileCount; index++) arrive_deleted(&files[index], entries);
  }
}

static bool save(const image *file, const char *folder, const char *name) {
  char path[PATH_MAX];
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) return false;
  FILE *output = fopen(path, "wb");
  if (!output) return false;
  bool isWritten = file->size == 0 || fwrite(file->bytes, 1, file->size, output) == file->size;
  return fclose(output) == 0 && isWritten;
}

/// Four sorts of cut: everything that was not synced is lost, nearly everything is there, about
/// half of it, or some with many torn sectors.
static mercy choose(uint64_t *random) {
  static const mercy sorts[] = {{0, 0}, {250, 3}, {120, 16}, {60, 100}};
  return sorts[next(random) % 4];
}

int fault_disk_cut(fault_disk *disk, int64_t operations, uint64_t seed, const char *folder) {
  pthread_mutex_lock(&disk->lock);
  uint64_t random = seed;
  mercy mercy = choose(&random);
  image *files = calloc((size_t)disk->nameCount + 1, sizeof *files);
  int64_t count = operations < disk->entryCount ? operations : disk->entryCount;
  for (int64_t index = 0; index < count; index++) replay(files, disk->nameCount, disk->entries, index);
  int saved = 0;
  for (int index = 0; index < disk->nameCount; index++) {
    image *file = &files[index];
    settle(file, disk->entries, mercy, &random);
    if (file->exists && saved >= 0) {
      saved = save(file, folder, disk->names[index]) ? saved + 1 : -1;
    }
    free(file->bytes);
    free(file->waiting);
  }
  free(files);
  pthread_mutex_unlock(&disk->lock);
  return saved;
}
