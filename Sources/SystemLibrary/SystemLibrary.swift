// The system's C library under one name, for files that call it.
#if canImport(Glibc)
  @_exported public import Glibc
#else
  @_exported public import Darwin
#endif
