#if os(Linux)
  import Foundation
  import JSONText
  import TestSupport
  import Testing

  /// The children of `kymo rows`: what becomes of a job whose child is gone. Nothing here waits for a clock: names are
  /// written one by one, and rows are waited for.
  @Suite(.serialized) struct WorkProcessTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    private func recordings(_ count: Int) throws -> [String] {
      let first = try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "0.kymo")
      return try [first]
        + (1..<count).map { number in
          try FileManager.default.copyItem(atPath: first, toPath: place.path("\(number).kymo"))
          return place.path("\(number).kymo")
        }
    }

    @Test func `a child that was killed is replaced, and the session it had is read once more`()
      throws
    {
      let names = try recordings(4)
      let work = try RunningWork(["--metrics", "-j", "1"])
      #expect(try work.row(of: names[0])["exit"].integer == 0)
      // While it has nothing to do.
      let first = try work.child()
      kill(first, SIGKILL)
      #expect(try work.row(of: names[1])["exit"].integer == 0)
      // While it has a job.
      let second = try work.child()
      #expect(second != first)
      try work.give(names[2], toStopped: second)
      kill(second, SIGKILL)
      let row = try work.nextRow()
      #expect(row["exit"].integer == 0)
      #expect(row["path"].text == names[2])
      #expect(try work.child() != second)
      #expect(try work.row(of: names[3])["path"].text == names[3])
      #expect(work.ended() == 0)
    }

    @Test(arguments: [SIGSEGV, SIGABRT, SIGILL])
    func `a child that crashes costs one row, which says 139`(signal: Int32) throws {
      let names = try recordings(2)
      let work = try RunningWork(["--metrics", "-j", "1"])
      #expect(try work.row(of: names[0])["exit"].integer == 0)
      let child = try work.child()
      try work.give(names[1], toStopped: child)
      kill(child, signal)
      kill(child, SIGCONT)
      let row = try work.nextRow()
      #expect(row["exit"].integer == 139)
      #expect(row["path"].text == names[1])
      #expect(row["session"] == .null)
      #expect(row["bytes"].integer != nil)
      #expect(row["error"].text?.contains("signal \(signal)") == true)
      #expect(try work.row(of: names[0])["exit"].integer == 0)
      #expect(work.ended() == 3)
    }

    @Test func `a child that takes too long costs one row, which says 124`() throws {
      let names = try recordings(2)
      let work = try RunningWork(["--metrics", "-j", "1", "--time-limit", "2s"])
      #expect(try work.row(of: names[0])["exit"].integer == 0)
      let child = try work.child()
      try work.give(names[1], toStopped: child)
      let row = try work.nextRow()
      #expect(row["exit"].integer == 124)
      #expect(row["error"].text?.contains("time limit") == true)
      #expect(try work.row(of: names[0])["exit"].integer == 0)
      #expect(work.ended() == 3)
    }

    @Test func `rows wait for the first job, and the list for them`() throws {
      let names = try recordings(2)
      let work = try RunningWork(["--values", "none", "-j", "2"])
      #expect(try work.row(of: names[0])["exit"].integer == 0)
      let child = try work.child()
      try work.give(names[1], toStopped: child)
      // More than may wait, and more than the pipe and the program's own buffer hold.
      let many = 4_000
      let writer = work.write(Array(repeating: names[0], count: many) + [names[1]])
      #expect(try work.grandchildren(atLeast: 2).count == 2)
      kill(child, SIGCONT)
      var paths: [String?] = []
      for _ in 0..<many + 2 { paths.append(try work.nextRow()["path"].text) }
      writer.wait()
      #expect(paths.first == names[1])
      #expect(paths.last == names[1])
      #expect(paths.dropFirst().dropLast().allSatisfy { $0 == names[0] })
      #expect(work.ended() == 0)
    }

    @Test func `an interrupt ends the work with 130, whole rows, and no child left`() throws {
      let names = try recordings(2)
      let work = try RunningWork(["--metrics", "-j", "1"])
      #expect(try work.row(of: names[0])["exit"].integer == 0)
      let child = try work.child()
      // Also one that does not answer.
      try work.give(names[1], toStopped: child)
      kill(work.pid, SIGINT)
      #expect(work.ended(closesInput: false) == 130)
      #expect(kill(child, 0) != 0)
      #expect(errno == ESRCH)
    }

    @Test func `children end with their parent, however that ends`() throws {
      let names = try recordings(1)
      let work = try RunningWork(["--metrics", "-j", "1"])
      #expect(try work.row(of: names[0])["exit"].integer == 0)
      let child = try work.child()
      // Its end closes this pipe, which the child has from it.
      kill(work.pid, SIGKILL)
      #expect(work.ended(closesInput: false) == -SIGKILL)
      while let state = RunningWork.state(child), state != "Z" { usleep(1_000) }
    }

    @Test func `a child has three descriptors, whatever its parent was given`() throws {
      let names = try recordings(1)
      let work = try RunningWork(
        ["--metrics", "-j", "2"], redirecting: "9>\"$lock\"", lock: place.path("lock"))
      #expect(try work.row(of: names[0])["exit"].integer == 0)
      let child = try work.child()
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(child)/fd").sorted()
      #expect(open == ["0", "1", "2"])
    }
  }

  /// A `kymo rows` that gets its names one by one.
  private final class RunningWork {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var received = Data()

    init(_ words: [String], redirecting more: String = "", lock: String = "") throws {
      // Or what another test starts meanwhile would keep them open.
      for pipe in [input, output] {
        for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
          _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
      }
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", "exec \"$kymo\" rows \"$@\" \(more)", "sh"] + words
      process.environment = ProcessInfo.processInfo.environment.merging([
        "kymo": builtProgram("kymo").path, "lock": lock,
      ]) { $1 }
      process.standardInput = input
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      try output.fileHandleForWriting.close()
      signal(SIGPIPE, SIG_IGN)
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    var pid: pid_t { process.processIdentifier }

    /// Writes a name and reads its row.
    func row(of name: String) throws -> Row {
      try input.fileHandleForWriting.write(contentsOf: Data((name + "\n").utf8))
      return try nextRow()
    }

    /// Writes names, as fast as they are taken.
    func write(_ names: [String]) -> Writing {
      let writing = Writing()
      let handle = input.fileHandleForWriting
      let data = Data(names.map { $0 + "\n" }.joined().utf8)
      Thread.detachNewThread {
        try? handle.write(contentsOf: data)
        writing.end()
      }
      return writing
    }

    final class Writing: Sendable {
      private let group = DispatchGroup()
      init() { group.enter() }
      func end() { group.leave() }
      func wait() { group.wait() }
    }

    /// The next line.
    func nextRow() throws -> Row {
      while true {
        if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
          let line = Array(received[..<end])
          received = Data(received[(end + 1)...])
          return try parseJSON(line)
        }
        let more = output.fileHandleForReading.availableData
        guard !more.isEmpty else { throw POSIXError(.EPIPE) }
        received += more
      }
    }

    /// The program's children.
    func children() throws -> [pid_t] {
      try String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
        .split(separator: " ").compactMap { pid_t($0) }
    }

    func child() throws -> pid_t { try #require(children().last) }

    /// The children, once there are that many.
    func grandchildren(atLeast count: Int) throws -> [pid_t] {
      while true {
        let found = try children()
        if found.count >= count { return found }
        usleep(1_000)
      }
    }

    /// Gives a child that does nothing a job which it cannot begin.
    func give(_ name: String, toStopped child: pid_t) throws {
      kill(child, SIGSTOP)
      // It may be on its way out of a call until then.
      while RunningWork.state(child) != "T" { usleep(1_000) }
      try input.fileHandleForWriting.write(contentsOf: Data((name + "\n").utf8))
      // The job is there once its pipe has something in it.
      let pipe = open("/proc/\(child)/fd/0", O_RDONLY | O_NONBLOCK)
      try #require(pipe >= 0)
      defer { close(pipe) }
      var count: Int32 = 0
      while ioctl(pipe, UInt(FIONREAD), &count) == 0, count == 0 { usleep(1_000) }
      #expect(count > 0)
    }

    /// The letter of a process's state; nil where there is none.
    static func state(_ pid: pid_t) -> Character? {
      guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
        let end = text.lastIndex(of: ")")
      else { return nil }
      return text[end...].dropFirst(2).first
    }

    func ended(closesInput: Bool = true) -> Int32 {
      if closesInput { try? input.fileHandleForWriting.close() }
      process.waitUntilExit()
      return process.terminationReason == .uncaughtSignal
        ? -process.terminationStatus : process.terminationStatus
    }
  }
#endif
