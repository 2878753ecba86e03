import TimelineModel

/// The numbers that stand for names in crash journals and tables. They are stored: add at the end only.
enum StoredCode {
  static let roles: [KeyRole] = [.progress, .animated, .custom]
  static let categories: [ElementCategory] = [.cell, .supplementary, .decoration]
  static let touchPhases: [TouchPhase] = [.began, .moved, .ended, .cancelled]
  static let outcomes: [ReleaseOutcome] = [.finish, .cancel]
  static let losses: [LossRecord.What] = [.sample, .frame, .touch, .event, .decision, .estimate]
  static let phases: [MotionPhase] = [.idle, .driving, .settling]
  static let leftOutReasons: [LeftOutSamples.Reason] = [
    .age, .gap, .duplicate, .backward, .resampled, .history, .notFinite,
  ]

  /// The number of a name.
  static func code<Name: Equatable>(_ name: Name, in names: [Name]) -> UInt64 {
    names.firstIndex(of: name).map(UInt64.init) ?? UInt64(names.count)
  }

  /// The name behind a number. `nil` for one that is not known.
  static func name<Name>(_ code: UInt64, in names: [Name]) -> Name? {
    code < UInt64(names.count) ? names[Int(code)] : nil
  }
}
