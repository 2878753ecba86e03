import MotionMeasures
import TimelineModel
import TimelineStore

/// Events take at most this share of what a session may take. No unit.
private let eventShare = 0.15

/// The names of the tables' columns and the sentence of what is left out take less than this, in bytes.
private let bytesBesideReleases = 600

extension RunPacking {
  /// Takes events, the first ones, until they have their share of the limit, in bytes.
  mutating func packEvents(byteLimit: Int) {
    var room = Int(eventShare * Double(byteLimit))
    for event in events {
      let field = event.field
      room -= field.bytesInList
      guard room >= 0 else { break }
      eventFields.append(field)
    }
    leftOutEvents += events.count - eventFields.count
  }

  /// Takes releases with their estimates, the earliest ones, until what is packed so far, they and the least that poses
  /// get are as large as the limit, in bytes. One is always taken.
  mutating func packReleases(byteLimit: Int) {
    let least = frameCount > 0 ? Int(leastPoseShare * Double(byteLimit)) : 0
    var room =
      byteLimit - text.bytes.count - header.json.utf8.count - least - bytesBesideReleases
    let indices = Dictionary(keys.enumerated().map { ($1.handle, $0) }) { first, _ in first }
    // An app need not number its transitions, so that its instant belongs to what a release is found by.
    let known = Dictionary(grouping: estimates) { ReleaseName($0.transition, $0.time) }
      .mapValues { $0.compactMap { RunPacking.row(of: $0, indices) } }
    let releases = overview.releases.all
    let rows = zip(releases, fingerSpeeds).map {
      row(of: $0, $1, touchUnit, overview.labels[$0.transition])
    }
    let isEarlier = { (one: Int, other: Int) in
      (releases[one].time, one) < (releases[other].time, other)
    }
    var taken: Set<Int> = []
    var names: Set<ReleaseName> = []
    for index in rows.indices.sorted(by: isEarlier) {
      let name = ReleaseName(releases[index].transition, releases[index].time)
      let estimates = names.contains(name) ? [] : known[name] ?? []
      room -= estimates.reduce(rows[index].bytesInTable) { $0 + $1.bytesInTable }
      guard room >= 0 || taken.isEmpty else {
        leftOutReleases = (rows.count - taken.count, releases[index].time)
        break
      }
      taken.insert(index)
      names.insert(name)
    }
    releaseRows = rows.indices.filter(taken.contains).map { rows[$0] }
    estimateRows = estimates.filter { names.contains(ReleaseName($0.transition, $0.time)) }
      .compactMap { RunPacking.row(of: $0, indices) }
  }
}

/// What a release and its estimates have in common.
private struct ReleaseName: Hashable {
  let transition: Int
  let time: Instant

  init(_ transition: Int, _ time: Instant) { (self.transition, self.time) = (transition, time) }
}

extension [EventField] {
  /// How many bytes its values take as a row of a table, its comma with it.
  fileprivate var bytesInTable: Int { FieldValue.list(map(\.value)).bytesInList }
}

extension FieldValue {
  /// Rows of the same fields, their names once: of thousands of releases the names would be half of the page.
  static func table(_ rows: [[EventField]]) -> FieldValue {
    .object(named: [
      "columns": FieldValue.list((rows.first ?? []).map { .text($0.name) }),
      "rows": FieldValue.list(rows.map { .list($0.map(\.value)) }),
    ])
  }

  /// How many bytes it takes in a list, its comma with it.
  fileprivate var bytesInList: Int { json.utf8.count + 1 }
}
