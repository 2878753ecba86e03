import TimelineModel

/// The numbers that stand for names in a crash journal. They are stored: add at the end only.
enum JournalCode {
  static let roles: [KeyRole] = [.progress, .animated, .custom]
  static let categories: [ElementCategory] = [.cell, .supplementary, .decoration]
  static let touchPhases: [TouchPhase] = [.began, .moved, .ended, .cancelled]
  static let outcomes: [ReleaseOutcome] = [.finish, .cancel]
  static let losses: [LossRecord.What] = [.sample, .frame, .touch, .event, .decision, .estimate]
  static let phases: [Phase] = [.idle, .driving, .settling]
  static let leftOutReasons: [LeftOutSamples.Reason] = [
    .age, .gap, .duplicate, .backward, .resampled, .history, .notFinite,
  ]

  static func code(_ role: KeyRole) -> UInt64 {
    switch role {
    case .progress: 0
    case .animated: 1
    case .custom: 2
    }
  }

  static func code(_ category: ElementCategory) -> UInt64 {
    switch category {
    case .cell: 0
    case .supplementary: 1
    case .decoration: 2
    }
  }

  static func code(_ phase: TouchPhase) -> UInt64 {
    switch phase {
    case .began: 0
    case .moved: 1
    case .ended: 2
    case .cancelled: 3
    }
  }

  static func code(_ outcome: ReleaseOutcome) -> UInt64 {
    switch outcome {
    case .finish: 0
    case .cancel: 1
    }
  }

  static func code(_ what: LossRecord.What) -> UInt64 {
    switch what {
    case .sample: 0
    case .frame: 1
    case .touch: 2
    case .event: 3
    case .decision: 4
    case .estimate: 5
    }
  }

  /// The name behind a number; nil for one that is not known.
  static func name<Name>(_ code: UInt64, in names: [Name]) -> Name? {
    code < UInt64(names.count) ? names[Int(code)] : nil
  }
}
