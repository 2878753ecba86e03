/// Which curves a format keeps of an item.
struct StageTracks: Sendable {
  /// Whether transforms in space can be carried.
  var carriesDepth = false
  /// Whether skews can be carried.
  var carriesSkew = true
  /// A pose as the numbers of the curves; a flat pose always gives as many, and so does one in space.
  var numbers: @Sendable (StagePose) -> [[Double]]
}
