/// TEMP views that show a recording of schema version 1 as version 2 has it, with nothing known of
/// what version 2 added. A reader makes them, since reading never migrates; the file stays as it is.
///
/// A TEMP view goes before a table or view of the same name in the file. Should a recorder migrate
/// the file meanwhile, `*` brings the new columns under their own names, and the constants here,
/// which then stand second, show no more.
enum VersionOneViews {
  /// The last schema version that needs the views.
  static let version: Int64 = 1

  static let texts = [
    view("touch", touch), view("touches", touch), view("decision", decision),
    view("decisions", decision), view("estimate", estimate), view("estimates", estimate),
  ]

  private static let touch = "0 AS resampled"
  private static let decision = """
    NULL AS rule_parameters, NULL AS progress_standard_error, NULL AS margin_velocity,
    NULL AS margin_threshold, NULL AS margin_sigma, NULL AS flip_velocity, NULL AS flip_progress,
    NULL AS projected_progress
    """
  private static let estimate = """
    NULL AS standard_error, NULL AS leave_one_out_low, NULL AS leave_one_out_high,
    NULL AS clamped_velocity, NULL AS confidence, NULL AS chosen, 0 AS opposes_displacement,
    0 AS lift_artefact, 0 AS left_out_age, 0 AS left_out_gap, 0 AS left_out_duplicate,
    0 AS left_out_backward, 0 AS left_out_resampled, 0 AS left_out_history,
    0 AS left_out_not_finite
    """

  private static func view(_ name: String, _ added: String) -> String {
    "CREATE TEMP VIEW \(name) AS SELECT *, \(added) FROM main.\(name)"
  }
}
