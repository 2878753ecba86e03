"""The types of the columns of the views: the same for every recording, whatever its values are."""

from __future__ import annotations

# Columns that are whole numbers in every row.
INTEGERS = frozenset("""
    session frame t_ns item position contact sequence transition number ordinal first_ns last_ns sample_count schema_version
    is_clean is_key_frame unread resampled count
""".split())

# Whole numbers that may be missing.
OPTIONAL_INTEGERS = frozenset("""
    wall_clock_ns end_ns lost_count sealed_row_count began_ns index_section index_item z_index hidden slot tracking_id heard_ns
    touch_heard_ns start_ns release_ns settle_ns completion_ns retargeted_from at_ns frame_count change_count lift_gap_ns
    opposes_displacement lift_artefact left_out_age left_out_gap left_out_duplicate left_out_backward left_out_resampled
    left_out_history left_out_not_finite
""".split())

REALS = frozenset("""
    refresh_rate viewport_width viewport_height first_value last_value min_value max_value value progress content_offset_x
    content_offset_y content_width content_height center_x center_y width height alpha transform_a transform_b transform_c
    transform_d transform_tx transform_ty x y velocity low high target remaining relative_velocity settle_time_s standard_error
    leave_one_out_low leave_one_out_high clamped_velocity confidence threshold progress_velocity margin_progress
    progress_standard_error margin_velocity margin_threshold margin_sigma flip_velocity flip_progress projected_progress
    min_center_x max_center_x min_center_y max_center_y min_width max_width min_height max_height min_alpha max_alpha travelled
""".split())

# Every other column is text.


def kind(view: str, column: str) -> str:
    """The type of a view's column: "integer", "optional integer", "real" or "text"."""
    if (view, column) == ("sessions", "transition"):  # its parameters, where other views have a number
        return "text"
    if column in INTEGERS:
        return "integer"
    if column in OPTIONAL_INTEGERS:
        return "optional integer"
    return "real" if column in REALS else "text"
