import KymographCHeader
import TimelineModel
import TimelineStore

// The header's numbers, structs and Swift's values.

extension StoreError {
  /// Writes the error into the caller's memory.
  func tell(_ place: ErrorPlace) -> Int32 { KymographC.tell(headerCode, message, place) }

  /// The error's number in the header.
  private var headerCode: Int {
    switch code {
    case .notFound: KYMOGRAPH_NOT_FOUND
    case .notAFile: KYMOGRAPH_NOT_A_FILE
    case .notADatabase: KYMOGRAPH_NOT_A_DATABASE
    case .notARecording: KYMOGRAPH_NOT_A_RECORDING
    case .newerSchema: KYMOGRAPH_NEWER_SCHEMA
    case .busy: KYMOGRAPH_BUSY
    case .damaged: KYMOGRAPH_DAMAGED
    case .full: KYMOGRAPH_FULL
    case .readOnly: KYMOGRAPH_READ_ONLY
    case .unfinishedChange: KYMOGRAPH_UNFINISHED_CHANGE
    case .cannotOpen: KYMOGRAPH_CANNOT_OPEN
    case .inputOutput: KYMOGRAPH_INPUT_OUTPUT
    case .noSuchSession: KYMOGRAPH_NO_SUCH_SESSION
    case .uuidInUse: KYMOGRAPH_UUID_IN_USE
    case .finished: KYMOGRAPH_FINISHED
    case .suspended: KYMOGRAPH_SUSPENDED
    case .logInUse: KYMOGRAPH_LOG_IN_USE
    case .query, .noSuchKey, .exists, .other: KYMOGRAPH_OTHER
    }
  }
}

extension MotionPhase {
  /// A caller's phase. Idle for a number that names none.
  @inline(__always)
  init(header code: Int32) {
    switch Int(code) {
    case KYMOGRAPH_DRIVING: self = .driving
    case KYMOGRAPH_SETTLING: self = .settling
    default: self = .idle
    }
  }

  /// The phase's number in the header.
  @inline(__always)
  var headerCode: UInt8 {
    switch self {
    case .idle: UInt8(KYMOGRAPH_IDLE)
    case .driving: UInt8(KYMOGRAPH_DRIVING)
    case .settling: UInt8(KYMOGRAPH_SETTLING)
    }
  }
}

extension KeyRole {
  /// A caller's role. Custom for a number that names none.
  init(header code: Int32) {
    switch Int(code) {
    case KYMOGRAPH_ANIMATED: self = .animated
    case KYMOGRAPH_PROGRESS: self = .progress
    default: self = .custom
    }
  }

  /// The role's number in the header.
  var headerCode: Int32 {
    switch self {
    case .custom: Int32(KYMOGRAPH_CUSTOM)
    case .animated: Int32(KYMOGRAPH_ANIMATED)
    case .progress: Int32(KYMOGRAPH_PROGRESS)
    }
  }
}

extension TouchPhase {
  /// A caller's phase. Moved for a number that names none.
  init(header code: Int32) {
    switch Int(code) {
    case KYMOGRAPH_BEGAN: self = .began
    case KYMOGRAPH_ENDED: self = .ended
    case KYMOGRAPH_CANCELLED: self = .cancelled
    default: self = .moved
    }
  }
}

extension ReleaseOutcome {
  /// A caller's outcome. Cancel for a number that names none.
  init(header code: Int32) { self = Int(code) == KYMOGRAPH_FINISH ? .finish : .cancel }
}

extension Pose {
  /// A caller's pose.
  @inline(__always)
  init(_ pose: kymograph_pose) {
    self.init(
      center: Point2D(x: pose.center_x, y: pose.center_y),
      size: Size2D(width: pose.width, height: pose.height),
      transform: pose.flags & UInt32(KYMOGRAPH_TRANSFORMED) == 0
        ? .identity
        : .flat(
          Transform2D(a: pose.a, b: pose.b, c: pose.c, d: pose.d, tx: pose.tx, ty: pose.ty)),
      alpha: pose.alpha, zIndex: Int(pose.z_index),
      isHidden: pose.flags & UInt32(KYMOGRAPH_HIDDEN) != 0)
  }
}

extension FrameState {
  init(_ caller: UnsafePointer<kymograph_frame>) {
    let frame = kymograph_frame(of: caller)
    self.init(
      time: Instant(nanoseconds: frame.time_ns), phase: MotionPhase(header: frame.phase),
      progress: frame.progress.known,
      contentOffset: Point2D(x: frame.offset_x, y: frame.offset_y),
      contentSize: Size2D(width: frame.content_width, height: frame.content_height))
  }
}

extension EventField {
  /// A caller's field.
  init(_ field: kymograph_field) {
    let value: FieldValue =
      switch Int(field.kind) {
      case KYMOGRAPH_FIELD_FLAG: .flag(field.flag != 0)
      case KYMOGRAPH_FIELD_INTEGER: .integer(field.integer)
      case KYMOGRAPH_FIELD_NUMBER: .number(field.number)
      case KYMOGRAPH_FIELD_TEXT: .text(String(field.text) ?? "")
      default: .null
      }
    self.init(String(field.name) ?? "", value)
  }
}
