// Velocity, other rules, comparison, many runs, export and the page, of recordings that are read. This module
// has no declarations of its own.
@_exported public import Kymograph
@_exported public import MotionJudgement
@_exported public import MotionMeasures
@_exported public import MotionPhysics
@_exported public import RunStudies
@_exported public import TimelineInterchange
@_exported public import TimelineReport
@_exported public import TimelineSession
