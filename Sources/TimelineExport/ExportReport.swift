/// What became of an export.
public struct ExportReport: Hashable, Sendable {
  /// What could not be carried, one entry a kind, in the order of ``ExportLoss/Kind``; empty: everything
  /// that the format is for was carried.
  public var losses: [ExportLoss] = []
  /// Keyframes that were written; nil for formats without.
  public var keyframeCount: Int?
  /// Poses that the keyframes stand for: one for each recorded change of an item; nil for formats without.
  public var poseCount: Int?
  /// Text cells of a CSV that begin with a letter that spreadsheets take for a formula's and were written as
  /// they are.
  public var formulaCount = 0
}
