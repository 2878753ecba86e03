// Record and read: what an app imports. This module has no declarations of its own.
@_exported public import TimelineModel
@_exported public import TimelineRecorder
@_exported public import TimelineStore
