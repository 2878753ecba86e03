import KymographCLibrary

/// Jobs that are done in children of this program, and what comes of them in the jobs' own order, however many
/// children there are.
///
/// What comes of the first job that is not over goes on at once. Of the others it waits. At most
/// ``waitingResults`` a child wait: then no job is begun, and no child but the first job's is listened to.
final class WorkerPool {
  /// Jobs that are begun, the first of which is listened to always.
  private final class Slot {
    let job: WorkJob
    var done: Set<Int64>
    /// What has not been handed on yet.
    var events: [WorkEvent] = []
    /// How much of it is results.
    var resultCount = 0
    var step: Int64?
    /// Messages that were delivered: a job that is begun again does not repeat them.
    var delivered: Set<String> = []
    var isOver = false
    /// Whether it was begun again since a child was killed from outside.
    var wasKilled = false

    init(_ job: WorkJob) { (self.job, done) = (job, job.done) }
  }

  /// How many children there are at most.
  let mostChildren: Int
  private let console: Console
  private let words: [String]
  private let timeLimit: Duration?
  /// Whether a step that ends its child leaves the other steps of its job.
  private let isolatesSteps: Bool
  private var slots: [Slot] = []
  /// Jobs that are to be done again, the first first.
  private var again: [Slot] = []
  private var busy: [(child: WorkerProcess, slot: Slot)] = []
  private var idle: [WorkerProcess] = []
  private var hasEnded = false

  /// Results of jobs that are not the first one which wait, for each child. Beyond them the input waits.
  static let waitingResults = 4

  /// What is asked for meanwhile: whether to stop, and what a passer-by wants to see.
  struct Watch {
    /// A descriptor that is readable when the work is to stop.
    var stop: Int32?
    /// So often ``look`` is called.
    var period: Duration?
    /// Is called now and then, and after each piece of news.
    var look: (_ isTick: Bool) -> Void = { _ in }
  }

  /// Makes a pool without a child.
  ///
  /// - Parameters:
  ///   - console: The console of the command.
  ///   - words: The command and its flags, which each child gets.
  ///   - mostChildren: How many children there are at most, 1 or more.
  ///   - timeLimit: How long a step may take. `nil`: as long as it likes.
  ///   - isolatesSteps: Whether a step that ends its child leaves the other steps of its job.
  init(
    _ console: Console, _ words: [String], mostChildren: Int, timeLimit: Duration?,
    isolatesSteps: Bool
  ) {
    self.console = console
    (self.words, self.mostChildren) = (words, mostChildren)
    (self.timeLimit, self.isolatesSteps) = (timeLimit, isolatesSteps)
  }

  deinit {
    for child in idle + busy.map(\.child) {
      child.end()
      child.finish()
    }
  }

  /// Does all jobs of a source.
  ///
  /// - Parameters:
  ///   - source: The jobs.
  ///   - watch: What else is looked after.
  ///   - leftovers: Is called with the number of a child that ended in the middle of a job.
  ///   - deliver: Takes what comes of each job, in the jobs' order, `done` last.
  /// - Returns: false where it was stopped.
  /// - Throws: ``Failure`` where no child can be started, and what `source` and `deliver` throw. All children have
  ///   ended then.
  func run(
    _ source: some JobSource, watch: Watch = Watch(), leftovers: (pid_t) -> Void = { _ in },
    deliver: (WorkJob, WorkEvent) throws -> Void
  ) throws -> Bool {
    guard console.ownsProcess else {
      try runHere(source, deliver)
      return true
    }
    var nextLook = watch.period.map { console.now() + $0 }
    while true {
      try handOn(deliver)
      let isWaiting = try begin(source)
      if slots.isEmpty, hasEnded { break }
      console.output.flush()
      watch.look(false)
      let stopped = try wait(
        for: isWaiting ? source.descriptor : nil, or: watch.stop, until: nextLook)
      if stopped { return false }
      try listen(leftovers)
      if let look = nextLook, let period = watch.period, console.now() >= look {
        watch.look(true)
        nextLook = look + period
      }
    }
    for child in idle { child.finish() }
    idle = []
    return true
  }

  /// Does all jobs in this process, one after the other: a process of others starts no children.
  private func runHere(
    _ source: some JobSource, _ deliver: (WorkJob, WorkEvent) throws -> Void
  ) throws {
    let worker = try console.withoutNotes { try WorkerLoop.worker(words, on: console) }
    while true {
      switch try source.next() {
      case .job(let job):
        var thrown: (any Error)?
        try worker(job) { event in
          guard thrown == nil else { return }
          do { try deliver(job, event) } catch { thrown = error }
        }
        if let thrown { throw thrown }
        try deliver(job, .done)
      case .later: _ = try wait(for: source.descriptor, or: nil, until: nil)
      case .end: return
      }
    }
  }

  /// Hands on what has come of the first jobs.
  private func handOn(_ deliver: (WorkJob, WorkEvent) throws -> Void) throws {
    while let first = slots.first {
      let events = first.events
      first.events = []
      first.resultCount = 0
      for event in events { try deliver(first.job, event) }
      guard first.isOver else { return }
      slots.removeFirst()
    }
  }

  /// How many results wait for the first job.
  private var waitingCount: Int { slots.dropFirst().reduce(0) { $0 + $1.resultCount } }

  private var isFull: Bool { waitingCount >= Self.waitingResults * mostChildren }

  /// Begins jobs while there are children for them.
  ///
  /// - Returns: whether the source has none at this moment.
  private func begin(_ source: some JobSource) throws -> Bool {
    while busy.count < mostChildren {
      if let slot = again.first {
        again.removeFirst()
        guard try begin(slot) else { return false }
        continue
      }
      // A job without a result waits, too.
      guard !hasEnded, !isFull, slots.count <= (Self.waitingResults + 1) * mostChildren else {
        return false
      }
      switch try source.next() {
      case .job(let job):
        let slot = Slot(job)
        slots.append(slot)
        guard try begin(slot) else { return false }
      case .later: return true
      case .end:
        hasEnded = true
        return false
      }
    }
    return false
  }

  /// Gives a job to a child, a new one where there is none without a job.
  ///
  /// - Returns: false where the system gives no further child. The job waits then.
  private func begin(_ slot: Slot) throws -> Bool {
    var job = slot.job
    job.done = slot.done
    while let child = idle.popLast() {
      if child.give(job) {
        busy.append((child, slot))
        return true
      }
      // Somebody ended it while it had nothing to do.
      child.finish()
    }
    let child: WorkerProcess
    do {
      child = try WorkerProcess(words, of: console)
    } catch {
      // Fewer will do, as long as there is one.
      guard !busy.isEmpty else { throw error }
      again.insert(slot, at: 0)
      return false
    }
    _ = child.give(job)
    busy.append((child, slot))
    return true
  }

  private func isPolled(_ slot: Slot) -> Bool { slot === slots.first || !isFull }

  /// Waits until a child has something to say, or is over its time.
  ///
  /// - Returns: whether the work is to stop.
  private func wait(
    for source: Int32?, or stop: Int32?, until look: ContinuousClock.Instant?
  ) throws -> Bool {
    var descriptors = [stop, source].map { pollfd(fd: $0 ?? -1, events: Int16(POLLIN), revents: 0) }
    let now = console.now()
    var limit = look
    for (child, slot) in busy {
      if isPolled(slot) {
        descriptors.append(pollfd(fd: child.output, events: Int16(POLLIN), revents: 0))
      } else {
        // Who is not listened to takes no time.
        child.lastSign = now
      }
      if let timeLimit { limit = min(limit ?? now + timeLimit, child.lastSign + timeLimit) }
    }
    for child in idle {
      descriptors.append(pollfd(fd: child.output, events: Int16(POLLIN), revents: 0))
    }
    var milliseconds: Int32 = -1
    if let limit {
      let left = (limit - now) / .milliseconds(1)
      milliseconds = Int32(max(0, min(left.rounded(.up), 1e6)))
    }
    let count = poll(&descriptors, nfds_t(descriptors.count), milliseconds)
    if count < 0, errno != EINTR {
      throw Failure.unreadable("no child can be waited for: \(String(cString: strerror(errno)))")
    }
    return descriptors[0].revents != 0
  }

  /// Takes what the children have said.
  private func listen(_ leftovers: (pid_t) -> Void) throws {
    for child in idle where child.isReadable {
      // It has nothing to say, so that it has ended.
      child.finish()
      idle.removeAll { $0 === child }
    }
    for (child, slot) in busy {
      if isPolled(slot), child.isReadable {
        let isAlive = child.readSome()
        try take(child, slot)
        if !isAlive, !slot.isOver { replace(child, slot, leftovers) }
      } else if let timeLimit, console.now() - child.lastSign >= timeLimit {
        child.endForTime()
        replace(child, slot, leftovers)
      }
    }
  }

  /// Takes the events that came in whole.
  private func take(_ child: WorkerProcess, _ slot: Slot) throws {
    while let event = try child.nextEvent() {
      switch event {
      case .begin(let step): slot.step = step
      case .value(let step, _):
        slot.done.insert(step)
        slot.step = nil
        slot.resultCount += 1
        slot.events.append(event)
      case .failure(let failure):
        if let step = failure.step { slot.done.insert(step) }
        slot.step = nil
        slot.resultCount += 1
        slot.events.append(event)
      case .message(let text): if slot.delivered.insert(text).inserted { slot.events.append(event) }
      case .fatal: slot.events.append(event)
      case .done:
        slot.events.append(event)
        slot.isOver = true
        busy.removeAll { $0.child === child }
        idle.append(child)
      }
    }
  }

  /// A child has ended in the middle of a job: the step was its doing, unless somebody killed it.
  private func replace(_ child: WorkerProcess, _ slot: Slot, _ leftovers: (pid_t) -> Void) {
    busy.removeAll { $0.child === child }
    let ending = child.ending()
    leftovers(child.pid)
    let name = slot.job.name
    let (exit, why): (Int, String)
    switch ending {
    case .killed where !slot.wasKilled:
      // Whoever did that did not mean this file. Once more, then.
      slot.wasKilled = true
      return again.append(slot)
    case .killed:
      (exit, why) = (WorkFailure.crashed, "the process that read it was killed twice")
    case .crashed(let how):
      (exit, why) = (WorkFailure.crashed, "the process that read it \(how)")
    case .tookTooLong:
      let seconds = (timeLimit ?? .zero) / .milliseconds(1) / 1000
      (exit, why) = (
        WorkFailure.tookTooLong, "reading it took longer than the time limit of \(seconds) s"
      )
    }
    slot.events.append(
      .failure(WorkFailure(step: slot.step, name: name, exit: exit, why: "\(name): \(why)")))
    slot.resultCount += 1
    if isolatesSteps, let step = slot.step {
      slot.done.insert(step)
      slot.step = nil
      slot.wasKilled = false
      again.append(slot)
    } else {
      slot.events.append(.done)
      slot.isOver = true
    }
  }
}

extension WorkerProcess {
  /// Whether something can be read, its end included, without waiting.
  var isReadable: Bool {
    var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) > 0
  }
}
