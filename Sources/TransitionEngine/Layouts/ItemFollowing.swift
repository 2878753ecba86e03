/// A layout of ours that keeps paths of items, which a batch update renumbers.
protocol ItemFollowing: AnyObject {
  /// Brings the paths up to date; called before the layout prepares for the new data.
  func follow(_ plan: UpdatePlan)
}
