// A lock of the library's SQLite and one of the program's own, in one process: each keeps the other out, as two processes
// do. With SQLite's usual locks both would be granted, since the system takes them for one owner's.
#include <fcntl.h>
#include <kymograph.h>
#include <stdio.h>
#include <unistd.h>

// Where SQLite locks a database (file format, "pending byte"): readers lock 510 bytes behind it.
enum { PENDING_BYTE = 0x40000000, SHARED_FIRST = PENDING_BYTE + 2, SHARED_SIZE = 510 };

static int own_lock(int descriptor, int type, int start, int length) {
  struct flock lock = {.l_type = (short)type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
  return fcntl(descriptor, F_SETLK, &lock) == 0;
}

int main(int count, char **words) {
  kymograph_recorder *recorder = NULL;
  kymograph_reader *reader = NULL;
  kymograph_error error;
  if (count < 2) return 2;
  // The recorder reads its database, so nobody may change it as a whole.
  if (kymograph_recorder_open(words[1], KYMOGRAPH_NUL, NULL, &recorder, &error)) return puts(error.message), 1;
  int descriptor = open(words[1], O_RDWR);
  if (own_lock(descriptor, F_WRLCK, SHARED_FIRST, SHARED_SIZE)) return puts("the program got the recorder's lock"), 1;
  if (!own_lock(descriptor, F_RDLCK, SHARED_FIRST, SHARED_SIZE)) return puts("two readers shut each other out"), 1;
  own_lock(descriptor, F_UNLCK, SHARED_FIRST, SHARED_SIZE);
  // Closing ends the program's own locks alone.
  close(descriptor);
  descriptor = open(words[1], O_RDWR);
  if (own_lock(descriptor, F_WRLCK, SHARED_FIRST, SHARED_SIZE)) return puts("a close took the recorder's lock away"), 1;
  if (kymograph_recorder_finish(recorder, &error)) return puts(error.message), 1;
  kymograph_recorder_free(recorder);
  // The other way round: the program has the whole file, and the library is refused.
  if (!own_lock(descriptor, F_WRLCK, PENDING_BYTE, 2 + SHARED_SIZE)) return puts("the finished recording is locked"), 1;
  if (kymograph_reader_open(words[1], KYMOGRAPH_NUL, &reader, &error) != KYMOGRAPH_BUSY)
    return printf("the library read past the program's lock: %s\n", error.message), 1;
  own_lock(descriptor, F_UNLCK, PENDING_BYTE, 2 + SHARED_SIZE);
  if (kymograph_reader_open(words[1], KYMOGRAPH_NUL, &reader, &error)) return puts(error.message), 1;
  kymograph_reader_free(reader);
  return 0;
}
