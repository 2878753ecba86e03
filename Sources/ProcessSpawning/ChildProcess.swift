package import KymographCLibrary
import Synchronization

/// Held while a process is started and while a pipe is made, whose ends a child of another thread would otherwise get.
private let starting = Mutex(())

/// A process that this one started.
package struct ChildProcess: Sendable {
  /// Its number, which is that of its group too if it has one of its own.
  package let pid: pid_t

  /// Why a process cannot be started.
  package struct StartError: Error, Sendable {
    /// The system's reason.
    package let reason: String
  }

  /// Starts a program.
  ///
  /// The child has no signal held back: whoever started us may have done that.
  ///
  /// - Parameters:
  ///   - program: Its path, or its name in the search path.
  ///   - arguments: Its words, its own name first.
  ///   - environment: Its variables, each as `NAME=VALUE`.
  ///   - descriptors: Which of our descriptors it has under which number. The numbers must differ from ours. What is not
  ///     named it has if ours is not closed by an exec.
  ///   - hasOwnGroup: Whether it leads a process group of its own, which a signal to ours does not reach.
  package init(
    starting program: String, arguments: [String], environment: [String],
    descriptors: [(ours: Int32, theirs: Int32)], hasOwnGroup: Bool = false
  ) throws(StartError) {
    var words = arguments.map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var flags = POSIX_SPAWN_SETSIGMASK
    if hasOwnGroup {
      posix_spawnattr_setpgroup(&attributes, 0)
      flags |= POSIX_SPAWN_SETPGROUP
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))
    for (ours, theirs) in descriptors {
      posix_spawn_file_actions_adddup2(&actions, ours, theirs)
    }
    var child: pid_t = 0
    let code = starting.withLock { _ in
      posix_spawnp(&child, program, &actions, &attributes, &words, &variables)
    }
    guard code == 0 else { throw StartError(reason: String(cString: strerror(code))) }
    pid = child
  }

  /// Waits for its end, which has come or comes at once.
  ///
  /// - Returns: The status as `waitpid` gives it.
  @discardableResult
  package func waitForEnd() -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// The status with which it ended, as `waitpid` gives it; nil while it runs. It is asked for once.
  package func statusIfEnded() -> Int32? {
    var status: Int32 = 0
    return waitpid(pid, &status, WNOHANG) == 0 ? nil : status
  }
}

/// The least number of a descriptor that is made for a child: no standard stream, even if one of those is closed, and
/// none that a child has by a number of its own.
private let leastNumber: Int32 = 10

/// Opens a file for a child that is given it, and for no other one.
///
/// - Parameters:
///   - path: The file.
///   - flags: Those of `open`.
/// - Returns: A descriptor; -1 if there is none, for the reason in `errno`. A new file is the user's alone.
package func openFile(forChild path: String, _ flags: Int32) -> Int32 {
  let descriptor = open(path, flags | O_CLOEXEC, 0o600)
  return descriptor < 0 ? descriptor : raised(descriptor)
}

/// The descriptor under a number that no child has by itself; the old one is closed.
private func raised(_ descriptor: Int32) -> Int32 {
  let number = fcntl(descriptor, F_DUPFD_CLOEXEC, leastNumber)
  let reason = errno
  close(descriptor)
  errno = reason
  return number
}

/// Both ends of a pipe.
package struct PipeEnds: Sendable {
  package let reading: Int32
  package let writing: Int32

  /// Makes a pipe whose ends no child has that is not given them; nil if the system gives no more descriptors, for the
  /// reason in `errno`.
  package init?() {
    var ends: [Int32] = [-1, -1]
    let isMade = starting.withLock { _ in
      guard pipe(&ends) == 0 else { return false }
      ends = ends.map(raised)
      return true
    }
    guard isMade else { return nil }
    (reading, writing) = (ends[0], ends[1])
    guard ends.allSatisfy({ $0 >= 0 }) else {
      let reason = errno
      for end in ends where end >= 0 { close(end) }
      errno = reason
      return nil
    }
  }
}
