import TimelineModel
import TimelineStore

/// The limit of names and units, and the numbers of keys and elements whose names are beyond it.
///
/// A name that SQLite refuses would stop every later commit. An app that names something by its whole content would also
/// fill the file with names.
enum LeftOutName {
  /// The most bytes of a name or a unit: 64 KiB, many times the longest path of a view.
  static let mostBytes = 1 << 16
  /// Stands for a key whose values are left out and counted as lost.
  static let key = KeyHandle(rawValue: -2)
  /// Stands for an element whose poses are left out and counted.
  static let item = ItemHandle(rawValue: -2)

  /// Whether one of these texts is longer than the limit.
  static func isAny(of texts: String?...) -> Bool {
    texts.contains { ($0?.utf8.count ?? 0) > mostBytes }
  }
}

extension RecorderCore {
  /// Warns of a name that is left out.
  func warnOfLongName(of subject: String, _ lost: String) {
    warnOnce(
      "longName",
      "\(subject) has a name or a unit of more than \(LeftOutName.mostBytes) bytes, so its \(lost) are left out. Use a "
        + "shorter name.", of: subject, at: .zero)
    deliverPendingTroubles()
  }

  /// Counts a value, a pose or an estimate whose name was left out: a lost sample without a key.
  func loseNameless(at time: Instant) {
    lose(Claim(words: 0, what: .sample, time: time))
  }
}
