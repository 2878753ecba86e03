/// Everything about a session that is known before its first value, so that a file explains itself.
public struct SessionDescription: Hashable, Sendable {
  /// Identity of the session as 36 characters (RFC 9562). `nil` lets the recorder make one.
  public var uuid: String?
  /// A name for people. Need not be unique.
  public var name: String?
  /// Wall clock at the session's start, nanoseconds since 1970-01-01T00:00:00Z. `nil`: not known.
  public var wallClockStartNanoseconds: Int64?
  /// What the session's times were read from: "virtual" (the engine), "device" (a touch device's
  /// own clock), "app" (the caller's).
  public var clock: String
  /// Frames per second of the display. `nil`: not known.
  public var refreshRate: Double?
  /// Extent of the viewport, in points. `nil`: not known.
  public var viewport: Size2D?
  /// The scenario file's text, as it was read.
  public var scenario: String?
  /// The gesture file's name and format ("evemu"), where touches came from one.
  package var gestureSource: String?
  /// The device that was touched, where the recording says so.
  public var device: String?
  /// The program that recorded, with its version ("kymo 0.2.0").
  public var software: String
  /// Version of the engine that computed the poses. `nil` when an app recorded its own.
  package var engineVersion: String?
  /// How poses are mixed ("linear"), and transforms ("decomposed"). `nil` without an engine.
  package var transition: String?
  /// The layouts and their parameters as JSON, in the order of their names.
  package var layouts: [LayoutDescription]
  /// The settle's parameters as JSON. `nil` without an engine.
  package var settle: String?
  /// The release rule, the estimator and their parameters as JSON. `nil` without an engine.
  package var release: String?
  /// What was left out on purpose, a JSON array. `nil`: nothing.
  package var redaction: String?
  /// Which session it was run again from. `nil`: none.
  package var origin: SessionOrigin?

  /// Makes a description. What is not given is not known.
  ///
  /// - Parameters:
  ///   - software: The program that records, with its version. `nil`: the name of the program that runs.
  ///   - clock: What the times are read from.
  ///   - name: A name for people.
  public init(software: String? = nil, clock: String = "app", name: String? = nil) {
    self.software = software ?? SessionDescription.runningProgram
    self.clock = clock
    self.name = name
    self.layouts = []
  }

  /// The last part of the path that this program was started by.
  private static var runningProgram: String {
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "app"
  }
}

/// A named layout with its parameters.
package struct LayoutDescription: Hashable, Sendable {
  /// The name that events use.
  package var name: String
  /// The type ("flow").
  package var type: String
  /// The parameters as JSON.
  package var parameters: String

  package init(name: String, type: String, parameters: String) {
    self.name = name
    self.type = type
    self.parameters = parameters
  }
}

/// How a session ended.
public enum SessionOutcome: String, Hashable, Sendable, CaseIterable {
  /// The last transition finished.
  case finished
  /// The last transition was cancelled.
  case cancelled
  /// A transition was under way at the end: no decision and no event ended it.
  case open
  /// There was no transition.
  case none
}

extension SessionDescription {
  /// Whether a touchpad's distances drove it, as ``gestureSource`` says.
  package var isOfTouchpad: Bool { gestureSource?.hasSuffix(" deltas)") == true }
}
