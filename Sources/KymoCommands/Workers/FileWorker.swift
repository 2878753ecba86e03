import KymographCLibrary
import TimelineModel
import TimelineStore

extension Invocation {
  /// A worker that opens the recording which a job names, and goes through its sessions: all of a `FILE`, of
  /// `FILE#SESSION` that one. It says what is doubtful about them.
  ///
  /// - Parameters:
  ///   - texts: Makes what comes of a text in the place of a recording. `nil`: it is recorded, as the lines of an app are.
  ///   - required: A recording without which there is no answer: where that one cannot be read, the command ends.
  ///   - isolatesSessions: Whether the others of a file are gone on with where a session cannot be read.
  ///   - body: Makes what comes of a session.
  func fileWorker(
    besides required: String? = nil, isolatesSessions: Bool = false,
    texts: ((InputText) throws -> any WireValue)? = nil,
    _ body: @escaping (SessionRecord, RecordingReader) throws -> any WireValue
  ) -> Worker {
    { [self] job, emit in
      func leaveOut(_ name: String, _ step: Int64?, _ work: () throws -> Void) throws {
        do {
          try work()
        } catch {
          emit(
            .failure(
              try WorkFailure(leavingOut: name, step: step, because: error, besides: required)))
        }
      }
      try leaveOut(job.name, nil) {
        let (path, selector) = SessionArgument.split(job.name)
        let input = readsTexts ? try InputText(job.name, self) : nil
        if let input, let texts, !input.isLines {
          emit(.begin(step: 1))
          return emit(.value(step: 1, try texts(input)))
        }
        let opened = try input.map { try OpenedText($0, self) }
        let reader = try opened?.reader ?? console.openRecording(path, keepsState: false)
        let sessions = try reader.sessions(selectedBy: selector)
        guard !sessions.isEmpty else { throw Failure.unreadable("\(path) contains no session") }
        console.warnOfMissingLog(reader, sessions)
        for session in sessions where !job.done.contains(session.number) {
          emit(.begin(step: session.number))
          func work() throws {
            let value = try reader.inOneState {
              try SessionArgument(console: console, reader: reader, session: session)
                .warnOfSuspectData()
              return try body(session, reader)
            }
            emit(.value(step: session.number, value))
          }
          if isolatesSessions {
            try leaveOut(reader.path, session.number, work)
          } else {
            try work()
          }
        }
      }
    }
  }
}

extension WorkFailure {
  /// Leaves a file out for an error.
  ///
  /// - Throws: the error itself where it is another one than that a file cannot be read, or is about the recording
  ///   that is required.
  init(
    leavingOut name: String, step: Int64?, because error: any Error, besides required: String? = nil
  ) throws {
    let failure = explain(error)
    let path = (error as? StoreError)?.path
    guard failure.code == .unreadable, path == nil || path != required else { throw error }
    self.init(
      step: step, name: name, exit: Int(failure.code.rawValue),
      why: failure.message.contains(name) ? failure.message : "\(name): \(failure.message)",
      path: path ?? "")
  }
}

extension Invocation {
  /// How many children work at once: as many as the machine has cores, unless `--jobs` gives a number.
  func jobCount() throws -> Int {
    try value(Flags.jobs)
      ?? max(1, min(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), Flags.mostJobs))
  }

  /// How long a session may take.
  ///
  /// - Parameter usual: What holds unless it is said. `nil`: as long as it likes.
  func timeLimit(usual: Duration? = nil) throws -> Duration? {
    guard let time = try value(Flags.timeLimit) else { return usual }
    guard time > 0 else { throw Failure.usage("--time-limit must be a time above 0, such as 60s") }
    return .nanoseconds(time)
  }
}
