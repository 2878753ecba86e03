#ifndef KYMOGRAPH_LOCKS_H
#define KYMOGRAPH_LOCKS_H

// Makes this copy of SQLite lock files by open file description (F_OFD_SETLK) in place of by process. A process's own
// locks on a file end if it closes any descriptor of the file, as another copy of SQLite in the process does. Those of a
// description stay, and keep another copy out as they keep another process out.
//
// Call it before the copy opens its first file, and only for a copy that nobody else in the process uses.
// Returns whether the system has such locks: Linux 3.15 and newer.
int kymograph_locks_install(void);

#endif
