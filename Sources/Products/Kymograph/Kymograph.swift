// One import for an app: everything that is public in the rooms below. This module has no
// declarations of its own.
@_exported public import GestureInput
@_exported public import MotionPhysics
@_exported public import TimelineInterchange
@_exported public import TimelineModel
@_exported public import TimelineQuery
@_exported public import TimelineRecorder
@_exported public import TimelineRendering
@_exported public import TimelineReport
@_exported public import TimelineStatistics
@_exported public import TimelineStore
@_exported public import TransitionEngine
@_exported public import TransitionScenarios
