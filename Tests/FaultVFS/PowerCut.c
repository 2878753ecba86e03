#include "FaultDisk.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The files that a power cut may leave.

/// The unit that a disk writes whole or not at all: 512 bytes, the smallest in use.
enum { sectorBytes = 512 };

/// A file on the disk that lost its power, whatever its names.
typedef struct {
  unsigned char *bytes;
  size_t size;
  size_t capacity;
  /// Operations since the file was last synced, as positions in the log.
  int64_t *waiting;
  int64_t waitingCount;
  int64_t waitingCapacity;
} image;

/// The disk: its files, and which of them each name leads to, as programs see it and as the disk has it.
typedef struct {
  image *files;
  int fileCount;
  int *now;
  int *safe;
  /// What happened to names since the folder was last synced: which name leads to which file, -1 for none.
  int (*changes)[2];
  int64_t changeCount;
} disk_state;

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
  if (entry->kind == LOG_WRITE) put(file, (size_t)entry->offset, entry->bytes, entry->size);
  if (entry->kind == LOG_TRUNCATE) resize(file, (size_t)entry->offset);
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
      apply_partly(file, entry, mercy, random);
    } else if (next(random) % 256 < mercy.kept) {
      apply(file, entry);
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

static int make_file(disk_state *state, const log_entry *entry) {
  state->files = realloc(state->files, sizeof *state->files * (size_t)(state->fileCount + 1));
  memset(&state->files[state->fileCount], 0, sizeof *state->files);
  put(&state->files[state->fileCount], 0, entry->bytes ? entry->bytes : (const unsigned char *)"", entry->size);
  return state->fileCount++;
}

/// A name leads to another file, or to none, from now on.
static void lead(disk_state *state, int64_t name, int file) {
  state->now[name] = file;
  state->changes = realloc(state->changes, sizeof *state->changes * (size_t)(state->changeCount + 1));
  state->changes[state->changeCount][0] = (int)name;
  state->changes[state->changeCount++][1] = file;
}

/// The first changes of names have reached the disk.
static void keep_names(disk_state *state, int64_t count) {
  for (int64_t index = 0; index < count; index++) {
    state->safe[state->changes[index][0]] = state->changes[index][1];
  }
  state->changeCount = 0;
}

static void replay(disk_state *state, const log_entry *entries, int64_t operation) {
  const log_entry *entry = &entries[operation];
  int file = entry->file >= 0 ? state->now[entry->file] : -1;
  switch (entry->kind) {
    case LOG_FOUND:
      state->now[entry->file] = state->safe[entry->file] = make_file(state, entry);
      break;
    case LOG_MADE: lead(state, entry->file, make_file(state, entry)); break;
    case LOG_WRITE:
    case LOG_TRUNCATE:
      if (file >= 0) wait_for_sync(&state->files[file], operation);
      break;
    case LOG_SYNC:
      for (int64_t index = 0; file >= 0 && index < state->files[file].waitingCount; index++) {
        apply(&state->files[file], &entries[state->files[file].waiting[index]]);
      }
      if (file >= 0) state->files[file].waitingCount = 0;
      break;
    case LOG_DELETE:
      if (file >= 0) lead(state, entry->file, -1);
      if (entry->offset == 1) keep_names(state, state->changeCount);
      break;
    case LOG_LINK: lead(state, entry->offset, file); break;
    case LOG_RENAME:
      // The new name comes first: a disk that has half of this has both names, and nobody minds.
      lead(state, entry->offset, file);
      lead(state, entry->file, -1);
      break;
    case LOG_SYNC_FOLDER: keep_names(state, state->changeCount); break;
    case LOG_MARK: break;
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
  disk_state state = {0};
  size_t names = (size_t)disk->nameCount + 1;
  state.now = malloc(names * sizeof *state.now);
  state.safe = malloc(names * sizeof *state.safe);
  for (size_t name = 0; name < names; name++) state.now[name] = state.safe[name] = -1;
  int64_t count = operations < disk->entryCount ? operations : disk->entryCount;
  for (int64_t index = 0; index < count; index++) replay(&state, disk->entries, index);
  // File systems keep the order of names: of what happened to them since the folder was synced, a beginning
  // is there. Where nothing is kept that was not synced, that is none of it.
  keep_names(&state, mercy.kept == 0 ? 0 : (int64_t)(next(&random) % (uint64_t)(state.changeCount + 1)));
  for (int file = 0; file < state.fileCount; file++) {
    settle(&state.files[file], disk->entries, mercy, &random);
  }
  int saved = 0;
  for (int name = 0; name < disk->nameCount; name++) {
    if (state.safe[name] >= 0 && saved >= 0) {
      saved = save(&state.files[state.safe[name]], folder, disk->names[name]) ? saved + 1 : -1;
    }
  }
  for (int file = 0; file < state.fileCount; file++) {
    free(state.files[file].bytes);
    free(state.files[file].waiting);
  }
  free(state.files);
  free(state.now);
  free(state.safe);
  free(state.changes);
  pthread_mutex_unlock(&disk->lock);
  return saved;
}
