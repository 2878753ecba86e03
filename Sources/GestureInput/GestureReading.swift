/// How a file of recorded touches is to be read, where its content leaves that open.
package struct GestureReading: Hashable, Sendable {
  /// The format. `nil`: found by the content.
  package var format: GestureFormat?
  /// The distances that are read of libinput's gestures.
  package var deltas: DeltaKind
  /// How long the records of a device file are. `nil`: found by the content.
  package var abi: EvdevABI?

  package init(
    format: GestureFormat? = nil, deltas: DeltaKind = .accelerated, abi: EvdevABI? = nil
  ) {
    (self.format, self.deltas, self.abi) = (format, deltas, abi)
  }
}
