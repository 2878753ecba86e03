import TimelineModel
import TimelineStore

/// Rows on their way to one transaction, table by table in the order given.
struct Batch: Sendable {
  struct Value: Sendable {
    var time: Int64
    var value: Double
    var key: Int32
    var phase: Phase
  }

  struct Change: Sendable {
    var frame: Int64
    var change: AttributeChange
  }

  var keys: [KeyRecord] = []
  var items: [ItemRecord] = []
  var samples: ContiguousArray<Value> = []
  var frames: ContiguousArray<FrameRecord> = []
  var changes: ContiguousArray<Change> = []
  var touches: ContiguousArray<TouchSample> = []
  var events: [Event] = []
  var decisions: [ReleaseDecision] = []
  var estimates: [ReleaseEstimate] = []
  var losses: [LossRecord] = []
  /// Whether a power cut must not take it back.
  var isDurable = false

  /// How many rows count against the limits; names of keys and elements do not.
  var rowCount: Int {
    samples.count + frames.count + changes.count + touches.count + events.count + decisions.count
      + estimates.count
  }

  var isEmpty: Bool { rowCount == 0 && keys.isEmpty && items.isEmpty && losses.isEmpty }

  /// Takes everything out and keeps the memory for the next rows.
  mutating func removeAll() {
    keys.removeAll(keepingCapacity: true)
    items.removeAll(keepingCapacity: true)
    samples.removeAll(keepingCapacity: true)
    frames.removeAll(keepingCapacity: true)
    changes.removeAll(keepingCapacity: true)
    touches.removeAll(keepingCapacity: true)
    events.removeAll(keepingCapacity: true)
    decisions.removeAll(keepingCapacity: true)
    estimates.removeAll(keepingCapacity: true)
    losses.removeAll(keepingCapacity: true)
    isDurable = false
  }
}
