/// A number that a case tells beside its time.
struct Figure {
  /// What it is.
  var name: String
  /// How much.
  var value: Double
  /// Of what.
  var unit: String
  /// At most so much is asked for.
  var limit: Double?
}
