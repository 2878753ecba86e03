/// One event of the Linux input system, as evemu and getevent print it.
///
/// Numbers are those of the kernel's `input-event-codes.h`.
struct KernelEvent {
  /// When, on the recorder's clock.
  var nanoseconds: Int64
  /// The line it stands in.
  var line: Int
  var kind: Kind
  var value: Int32

  /// The kinds that touches are read from.
  enum Kind: Hashable {
    case frameEnd
    case dropped
    case contactEnd
    case slot
    case trackingID
    case positionX
    case positionY
    case singleX
    case singleY
    case touchButton
    /// Pressure, size, other keys: known to exist, of no use here.
    case other

    /// The kind with the kernel's type and code numbers.
    init(type: UInt16, code: UInt16) {
      switch (type, code) {
      case (0x00, 0x00): self = .frameEnd
      case (0x00, 0x02): self = .contactEnd
      case (0x00, 0x03): self = .dropped
      case (0x01, 0x14a): self = .touchButton
      case (0x03, 0x00): self = .singleX
      case (0x03, 0x01): self = .singleY
      case (0x03, 0x2f): self = .slot
      case (0x03, 0x35): self = .positionX
      case (0x03, 0x36): self = .positionY
      case (0x03, 0x39): self = .trackingID
      default: self = .other
      }
    }

    /// The kind with a label of `getevent -l`.
    ///
    /// Markdown takes pairs of underscores away.
    init(label: String) {
      switch label.filter({ $0 != "_" }) {
      case "SYNREPORT": self = .frameEnd
      case "SYNMTREPORT": self = .contactEnd
      case "SYNDROPPED": self = .dropped
      case "BTNTOUCH": self = .touchButton
      case "ABSX": self = .singleX
      case "ABSY": self = .singleY
      case "ABSMTSLOT": self = .slot
      case "ABSMTPOSITIONX": self = .positionX
      case "ABSMTPOSITIONY": self = .positionY
      case "ABSMTTRACKINGID": self = .trackingID
      default: self = .other
      }
    }
  }
}
