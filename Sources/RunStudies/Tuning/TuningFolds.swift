import TimelineStatistics

/// Which gestures are left out together, so that each is decided once by what the others have found.
struct TuningFolds {
  /// The fold of each gesture.
  let fold: [Int]
  /// How many folds there are.
  let count: Int
  /// Whether each gesture, or each group, is left out by itself.
  let isLeavingOneOut: Bool

  /// Leaves one out at a time up to 40 gestures. Deals more of them into ten folds, each label and group by itself.
  ///
  /// - Returns: nil where all gestures are of one group.
  init?(_ gestures: [TuningGesture], seed: UInt64) {
    var groups = TuningFolds.groups(of: gestures)
    guard groups.count > 1 else { return nil }
    var fold = Array(repeating: 0, count: gestures.count)
    isLeavingOneOut = gestures.count <= RuleTuning.Options.mostLeftOutSingly
    if isLeavingOneOut {
      count = groups.count
      for (number, group) in groups.enumerated() {
        for index in group { fold[index] = number }
      }
    } else {
      count = min(RuleTuning.Options.foldCount, groups.count)
      var dice = SplitMix64(seed: seed)
      groups.shuffle(using: &dice)
      // The largest groups first, where there is still room to even them out. Each goes where the fewest gestures
      // of its labels are.
      groups.sort { $0.count > $1.count }
      var counts = Array(repeating: (finish: 0, cancel: 0), count: count)
      for group in groups {
        let finishes = group.count { gestures[$0].isMeantToFinish }
        let cancels = group.count - finishes
        func load(_ number: Int) -> (Int, Int) {
          (
            finishes * counts[number].finish + cancels * counts[number].cancel,
            counts[number].finish + counts[number].cancel
          )
        }
        let emptiest = counts.indices.min { load($0) < load($1) } ?? 0
        for index in group { fold[index] = emptiest }
        counts[emptiest].finish += finishes
        counts[emptiest].cancel += cancels
      }
    }
    self.fold = fold
  }

  /// The places of the gestures of each group, in the order in which groups first come. What has no group is one by
  /// itself.
  static func groups(of gestures: [TuningGesture]) -> [[Int]] {
    var numbers: [String: Int] = [:]
    var groups: [[Int]] = []
    for (index, gesture) in gestures.enumerated() {
      if let name = gesture.group {
        if let number = numbers[name] {
          groups[number].append(index)
          continue
        }
        numbers[name] = groups.count
      }
      groups.append([index])
    }
    return groups
  }
}
