/// What is asked of a worker: bytes that the command understands, and the steps that were done before.
struct WorkJob {
  /// What the command understands: a file's name, in most.
  var request: [UInt8]
  /// The file, as messages name it.
  var name: String
  /// Steps that are not done again.
  var done: Set<Int64> = []

  /// The job as it goes through a pipe.
  var frame: [UInt8] {
    var body: [UInt8] = []
    request.put(to: &body)
    name.put(to: &body)
    done.sorted().put(to: &body)
    return framed(body)
  }

  init(request: [UInt8], name: String, done: Set<Int64> = []) {
    (self.request, self.name, self.done) = (request, name, done)
  }

  /// Reads a job's bytes.
  init(_ bytes: [UInt8]) throws {
    var bytes = WireBytes(bytes)
    self.init(
      request: try [UInt8](from: &bytes), name: try String(from: &bytes),
      done: Set(try [Int64](from: &bytes)))
  }
}

/// Does one job and says what comes of it. It throws only what ends the command.
typealias Worker = (WorkJob, (WorkEvent) -> Void) throws -> Void

/// Where jobs come from.
protocol JobSource: AnyObject {
  /// The next job, or why there is none.
  func next() throws -> NextJob
  /// A descriptor that is readable when there may be a job. `nil` where none is waited for.
  var descriptor: Int32? { get }
}

/// What a source answers.
enum NextJob {
  case job(WorkJob)
  /// Not yet: the descriptor becomes readable when there is more.
  case later
  /// There are no more.
  case end
}

/// Jobs that are all at hand.
final class ListedJobs: JobSource {
  private var jobs: ArraySlice<WorkJob>
  let descriptor: Int32? = nil

  init(_ jobs: [WorkJob]) { self.jobs = jobs[...] }

  func next() -> NextJob { jobs.popFirst().map(NextJob.job) ?? .end }
}
