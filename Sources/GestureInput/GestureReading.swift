/// How a file of recorded touches is to be read, where its content leaves that open.
package struct GestureReading: Hashable, Sendable {
  /// The format. `nil`: found by the content.
  package var format: GestureFormat?
  /// The distances that are read of libinput's gestures.
  package var deltas: DeltaKind
  /// How long the records of a device file are. `nil`: found by the content.
  package var abi: EvdevABI?

  /// The unit of times that have none of their own. `nil`: their name says it, or their steps fit it.
  package var timeUnit: TimeUnit?
  /// Which columns of a table are what: `t=stamp:ms,x=px,y=py,id=finger`. `nil`: their names say it.
  package var columns: String?
  /// The shape of a log's lines: literal text with holes, `touch {x},{y} at {t:ms}`. `nil`: one of the known shapes.
  package var pattern: String?

  package init(
    format: GestureFormat? = nil, deltas: DeltaKind = .accelerated, abi: EvdevABI? = nil,
    timeUnit: TimeUnit? = nil, columns: String? = nil, pattern: String? = nil
  ) {
    (self.format, self.deltas, self.abi) = (format, deltas, abi)
    (self.timeUnit, self.columns, self.pattern) = (timeUnit, columns, pattern)
  }
}
