/// Something that happened at a moment: a gesture's phase, a start, a decision, a warning.
public struct TimelineEvent: Hashable, Sendable {
  /// When it happened.
  public var time: Instant
  /// What happened.
  public var kind: Kind
  /// What belongs to it, in a fixed order.
  public var fields: [EventField] {
    get { content.fields }
    set { content = .made(newValue) }
  }
  private var content: EventContent

  /// Makes an event.
  public init(time: Instant, kind: Kind, fields: [EventField] = []) {
    self.time = time
    self.kind = kind
    content = .made(fields)
  }

  /// Makes an event of many fields, which are made when they are read: some sinks keep no events.
  ///
  /// - Parameter fields: Makes them, each time the same.
  package init(time: Instant, kind: Kind, fields: @escaping @Sendable () -> [EventField]) {
    self.time = time
    self.kind = kind
    content = .unmade(fields)
  }

  /// Makes an event of named values.
  package init(time: Instant, kind: Kind, fields: KeyValuePairs<String, any FieldConvertible>) {
    self.init(time: time, kind: kind, fields: EventField.list(fields))
  }

  /// The field of events that take a time, in seconds.
  package static let duration = "duration_s"
  /// The field of events that settle: how long that takes, in seconds.
  package static let settleTime = "settleTime_s"

  /// The name of what happened. An app may use names of its own beside these.
  public struct Kind: Hashable, Sendable, RawRepresentable {
    /// The name as it is stored and printed.
    public var rawValue: String

    /// Makes a kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A gesture was recognised. Fields: recognizer.
    public static let gestureBegan = Kind(rawValue: "gestureBegan")
    /// A gesture ended with a lift. Fields: recognizer.
    public static let gestureEnded = Kind(rawValue: "gestureEnded")
    /// A gesture was taken away. Fields: recognizer.
    public static let gestureCancelled = Kind(rawValue: "gestureCancelled")
    /// A transition started. Fields: transition, from, to.
    public static let start = Kind(rawValue: "start")
    /// The transition's layout was told to prepare anew.
    package static let invalidate = Kind(rawValue: "invalidate")
    /// Finish was asked for. Fields: transition, progress.
    public static let finish = Kind(rawValue: "finish")
    /// Cancel was asked for. Fields: transition, progress.
    public static let cancel = Kind(rawValue: "cancel")
    /// Finish or cancel was decided. The fields of ``ReleaseDecision``.
    public static let decision = Kind(rawValue: "decision")
    /// A settle began. Fields: transition, its parameters and its time to rest.
    package static let settle = Kind(rawValue: "settle")
    /// A layout was installed. Fields: layout.
    package static let install = Kind(rawValue: "install")
    /// A transition's completion ran. Fields: transition, completed, finished.
    public static let completion = Kind(rawValue: "completion")
    /// The viewport was scrolled. Fields: contentOffset.
    package static let scroll = Kind(rawValue: "scroll")
    /// A layout's hook is called, where that is traced. Fields: call (the hook's name), layout, and the
    /// element that is asked for.
    package static let layoutCall = Kind(rawValue: "layoutCall")
    /// A batch update was recorded. Fields: operations, and the item counts per section before and
    /// after.
    package static let update = Kind(rawValue: "update")
    /// The data was exchanged without a batch update. Fields: counts.
    package static let reload = Kind(rawValue: "reload")
    /// The viewport's extent changed. Fields: from, to, duration_s.
    package static let bounds = Kind(rawValue: "bounds")
    /// The content insets changed. Fields: contentInset.
    package static let inset = Kind(rawValue: "inset")
    /// Elements begin to blend from the screen into the layout's places. Fields: animation, cause,
    /// duration_s, and per element why it takes part, from which path to which.
    package static let animation = Kind(rawValue: "animation")
    /// Such an animation is over. Fields: animation, completed.
    package static let animationCompletion = Kind(rawValue: "animationCompletion")
    /// A transition that is under way was turned to another end. Fields: transition, outcome, progress,
    /// progressVelocity.
    package static let retarget = Kind(rawValue: "retarget")
    /// A start, finish, cancel or release waits for the transition under way. Fields: what, to, waiting.
    package static let queued = Kind(rawValue: "queued")
    /// A controller was put on a navigation's stack. Fields: from, to (layouts), animated, interactive.
    package static let push = Kind(rawValue: "push")
    /// The top controller is taken from a navigation's stack. Fields: from, to (layouts), animated,
    /// interactive.
    package static let pop = Kind(rawValue: "pop")
    /// A push or pop begins. Fields: layout, the one that will be shown.
    package static let willShow = Kind(rawValue: "willShow")
    /// A push or pop is over. Fields: layout, the one that is shown.
    package static let didShow = Kind(rawValue: "didShow")
    /// An item was pinched by a step. Fields: item (its path, null for none), size.
    package static let pinch = Kind(rawValue: "pinch")
    /// A note of the user's. Fields: text.
    public static let mark = Kind(rawValue: "mark")
    /// A call was refused. Fields: code, message.
    public static let error = Kind(rawValue: "error")
    /// Something is doubtful. Fields: code, message.
    public static let warning = Kind(rawValue: "warning")
  }
}

/// The fields of an event, made or not.
private enum EventContent: Hashable, Sendable {
  case made([EventField])
  case unmade(@Sendable () -> [EventField])

  var fields: [EventField] {
    switch self {
    case .made(let fields): fields
    case .unmade(let make): make()
    }
  }

  static func == (left: Self, right: Self) -> Bool { left.fields == right.fields }

  func hash(into hasher: inout Hasher) { hasher.combine(fields) }
}
