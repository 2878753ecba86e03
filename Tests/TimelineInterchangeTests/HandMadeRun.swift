import Foundation
import JSONText
import TestSupport
import Testing
import TimelineInterchange
import TimelineModel
import TimelineRecorder
import TimelineStore

/// A folder with a recording that a test makes by hand, and what it is exported as.
struct HandMadeRun {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("run.kymo")
  }

  /// Records one session; the closure gives what it holds.
  func record(
    name: String? = nil, rate: Double? = 100, viewport: Size2D? = Size2D(width: 300, height: 200),
    closes: Bool = true, _ fill: (Recorder) -> Void = { _ in }
  ) throws {
    var description = SessionDescription(software: "tests 1", clock: "app", name: name)
    description.uuid = "123e4567-e89b-42d3-a456-426614174000"
    description.wallClockStartNanoseconds = 0
    description.refreshRate = rate
    description.viewport = viewport
    let recorder = try Recorder(path: path, session: description, policy: .wait)
    fill(recorder)
    if closes {
      try recorder.finish(at: at(1000), outcome: .none)
    } else {
      recorder.writeBatch()
    }
  }

  /// Exports the newest session.
  func export(
    _ format: ExportFormat, _ options: ExportOptions = ExportOptions()
  ) throws -> (text: String, report: ExportReport) {
    let reader = try RecordingReader(path: path)
    let session = try #require(try reader.lastSessionRecord())
    let export = try SessionExport(session, in: reader, options: options)
    var bytes: [UInt8] = []
    let report = try export.write(format) { bytes.append(contentsOf: $0) }
    return (String(decoding: bytes, as: UTF8.self), report)
  }

  /// Exports the newest session as JSON.
  func document(
    _ format: ExportFormat, _ options: ExportOptions = ExportOptions()
  ) throws -> (root: JSONValue, report: ExportReport) {
    let (text, report) = try export(format, options)
    return (try parseJSON(Array(text.utf8)), report)
  }

  /// The lines of NDJSON.
  func lines(_ options: ExportOptions = ExportOptions()) throws -> [JSONValue] {
    try export(.ndjson, options).text.split(separator: "\n").map { try parseJSON(Array($0.utf8)) }
  }
}

func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

extension Recorder {
  /// Records a frame with poses of cells.
  func frame(
    _ milliseconds: Int64, offset: Point2D = .zero, progress: Double? = nil,
    _ poses: [(id: String, pose: Pose)] = []
  ) {
    beginFrame(
      FrameState(
        time: at(milliseconds), phase: .driving, progress: progress, contentOffset: offset,
        contentSize: Size2D(width: 300, height: 600)))
    for (index, item) in poses.enumerated() {
      record(
        item.pose, of: itemHandle(for: ElementIdentity(category: .cell, id: item.id)),
        at: ItemIndexPath(section: 0, item: index))
    }
    endFrame()
  }
}

/// A pose by center, size and what else is said.
func pose(
  _ x: Double, _ y: Double, _ width: Double = 20, _ height: Double = 10, alpha: Double = 1,
  z: Int = 0, hidden: Bool = false, transform: [Double]? = nil
) -> Pose {
  Pose(
    center: Point2D(x: x, y: y), size: Size2D(width: width, height: height),
    transform: transform.flatMap { ElementTransform(components: $0) } ?? .identity, alpha: alpha,
    zIndex: z, isHidden: hidden)
}

extension JSONValue {
  /// A field; null where there is none.
  subscript(_ name: String) -> JSONValue {
    guard case .object(let fields) = self else { return .null }
    return fields[name] ?? .null
  }

  /// An element of an array; null where there is none.
  subscript(_ index: Int) -> JSONValue {
    guard case .array(let values) = self, values.indices.contains(index) else { return .null }
    return values[index]
  }

  /// The elements of an array.
  var list: [JSONValue] {
    if case .array(let values) = self { return values }
    return []
  }

  /// The number, whole or not.
  var number: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    default: nil
    }
  }

  var text: String? {
    if case .string(let text) = self { return text }
    return nil
  }

  /// The numbers of an array.
  var numbers: [Double] { list.compactMap(\.number) }
}
