import TimelineModel

/// What a format could not carry of a session.
public struct ExportLoss: Hashable, Sendable {
  /// The sorts of things that are lost.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Items that turn in space. The flat part of their transform is kept.
    case depth
    /// Items that are skewed. Their skew is left out.
    case skew
    /// Frames whose time is not later than that of a frame before.
    case time
    /// Numbers that are not finite.
    case notFinite
    /// Fields of events that cannot be written as they are.
    case eventFields
    /// Characters that XML has no way to write.
    case characters
  }

  /// What was lost.
  package var kind: Kind
  /// How many items, frames, numbers or events it concerns.
  package var count: Int
  /// The format.
  package var format: ExportFormat

  /// One sentence for a person: what is missing, and what was written in its place.
  public var sentence: String {
    let name = format.type.title
    func counted(_ one: String, _ many: String) -> String { "\(count) \(count == 1 ? one : many)" }
    switch kind {
    case .depth:
      return
        "\(counted("element turns", "elements turn")) in space, which \(name) cannot carry. The flat part of the "
        + "transform is kept"
    case .skew:
      return
        "\(counted("element is", "elements are")) skewed, which players of \(name) draw differently. The skew is left "
        + "out"
    case .time:
      return
        "\(counted("frame is", "frames are")) not later than the frame before, which \(name) cannot carry. The last "
        + "frame of equal times is kept, and earlier times are left out"
    case .notFinite:
      return
        "\(counted("number is", "numbers are")) not finite, which \(name) cannot carry, and left out"
    case .eventFields:
      return
        "\(counted("event has", "events have")) fields that are not a JSON object, or are named t_ns or event. These "
        + "fields are left out"
    case .characters:
      return
        "\(counted("name has", "names have")) characters that XML cannot carry, which are replaced with U+FFFD"
    }
  }
}

/// Counts what is lost on the way.
final class LossCounter {
  private let format: ExportFormat
  private var counts: [ExportLoss.Kind: Int] = [:]
  private var items: [ExportLoss.Kind: Set<ItemHandle>] = [:]

  init(_ format: ExportFormat) { self.format = format }

  /// Counts one.
  func add(_ kind: ExportLoss.Kind) { counts[kind, default: 0] += 1 }

  /// Counts an item, once.
  func add(_ kind: ExportLoss.Kind, _ item: ItemHandle) {
    items[kind, default: []].insert(item)
  }

  /// The counts, without those of 0.
  var losses: [ExportLoss] {
    ExportLoss.Kind.allCases.compactMap { kind in
      let count = counts[kind, default: 0] + (items[kind]?.count ?? 0)
      return count == 0 ? nil : ExportLoss(kind: kind, count: count, format: format)
    }
  }
}

/// What became of an export.
public struct ExportReport: Hashable, Sendable {
  /// What could not be carried, one entry a kind, in the order of `Kind`. Empty: everything
  /// that the format is for was carried.
  public var losses: [ExportLoss] = []
  /// Keyframes that were written. `nil` for formats without.
  public var keyframeCount: Int?
  /// Poses that the keyframes stand for: one for each recorded change of an item. `nil` for formats without.
  public var poseCount: Int?
  /// Text cells of a CSV that begin with a letter that spreadsheets take for a formula's and were written as
  /// they are.
  public var formulaCount = 0
}
