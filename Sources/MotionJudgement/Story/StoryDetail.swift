import MotionMeasures
import MotionPhysics
import TimelineModel
import TimelineSession

/// What a fact says, in numbers and names. ``Wording`` has the sentences. Lengths are in the session's unit, times in seconds.
enum StoryDetail: Hashable, Sendable {
  /// A number alone.
  case none
  case easing(DeclaredAnimation)
  // Followers of a finger.
  case restarts(DeclaredAnimation)
  case nothingFollows
  case moreFollow(Int)
  case scrolls(deadZone: Double)
  case scrollsAlone(Scrolling)
  case scrollsNatively(way: Double, end: Double, wait: Double)
  case follows(Following)
  case followsScroll(ScrollFollowing)
  case fingerTaken(FingerTaken)
  case deadZone(Double)
  case pickup(Estimated, isAhead: Bool)
  case leak(Estimated, along: FingerAxis, way: Double)
  case driven(Driven)
  // The release and the settle.
  case speedUnknown
  case fingerStopped
  case stays
  case flickCancelled(speed: Double)
  case handOver(letGo: Estimated, HandedOver)
  case settle(Settling)
  case interrupted(speed: Double, by: StoryAct.Kind, Interruption)
  // Answers.
  case noReaction(StoryAct.Kind)
  case starts(wait: Double, after: StoryInstant)
  case moves(Moving)
  case changes(LookChange)
  case moreChange(Int)
  case linear(duration: Double)
  case movesUnlessReduced(way: Double)
  // Steps.
  case jump(Stepping)
  case flash(shown: Double, next: Double)
  case flashBehindFade(shown: Double)
  case blink(from: Double, to: Double)
  // Groups.
  case atOnce(way: Double, others: [String], take: Double)
  case startTogether(Int)
  case startEvenly(gap: Double)
  case startUnevenly(gaps: [Double])
  case order(isAbove: Bool, other: String, since: Double)
  case runsAgain(wait: Double, name: String, isRemade: Bool)
  // The recording.
  case lateFrame(gap: Double, what: String, file: String?, line: Double?, held: Double)
  case lateFrames(Int, of: Int, longest: Double, isMachine: Bool)
  case noLateFrame(of: Int)
  case pictures(Pictures)
  /// An element was not found from one time to another. Without the second, to the end.
  case lost(from: Double, to: Double?, reason: String?)
  /// An element covers it on all of its way.
  case covered(by: String)
  case unrest
  case ambient
  case unlooked(Int, of: Int)
  case unfitted(Int)
  case moreMove(Int)
  case otherPages(Int)
  case canvas
  case small([SmallChange])
  case moreSmall(Int)
  case scriptError(String)
  // Where an act ended.
  case outcome(Outcome)
  case scales(Scaling)

  /// The pictures of a clip.
  struct Pictures: Hashable, Sendable {
    var count: Int
    /// Those that repeat the one before while something moves.
    var repeated: Int
    /// Those in which an element stands while others move.
    var held: Int
    var gaps: Int
    /// The longest of the gaps, in seconds.
    var longestGap: Double
  }

  struct Following: Hashable, Sendable {
    /// Whether the finger is a dot in pictures.
    var isDot = false
    var axis: FingerAxis
    var lag: Estimated
    /// The page's own lag, in frames.
    var own: Estimated?
    /// Of a lerp that is decided, the share of the way a frame.
    var share: Estimated?
    var gain: Estimated
    var isLate: Bool
    var frames: Int
    /// The time of a frame.
    var frame: Double
    /// What the browser kept from touch handlers.
    var slop: Double
  }

  /// What goes with a share of the finger beyond an edge.
  struct Resisting: Hashable, Sendable {
    var share: Estimated
    /// How far it is behind the finger, in seconds. It means nothing without ``own``.
    var lag = Estimated(0, low: 0, high: 0)
    /// The page's own lag, in frames. `nil`: it cannot be told.
    var own: Estimated?
  }

  /// How something goes with a finger otherwise than at a distance.
  enum Driven: Hashable, Sendable {
    case resists(Resisting)
    case steps(Steps)
    /// Of a row of so many items. `nil`: it is not known how far apart they are.
    case wraps(way: Double, count: Int?)
    /// It was let go so far on a way of so much, at a speed.
    case goesBack(way: Double, whole: Double, speed: Double)
    /// It goes so far at once when it is let go, and rests there.
    case drops(Double)
    case stepsAside(way: Double, by: DeclaredAnimation?)
  }

  struct Steps: Hashable, Sendable {
    /// The longest stand, in frames.
    var longest: Int
    /// The same in seconds.
    var seconds: Double
    /// In so many frames it stood, of those in which the finger moved.
    var still: Int
    var of: Int
  }

  struct ScrollFollowing: Hashable, Sendable {
    var scroller: String
    /// In frames.
    var lag: Estimated
    var frame: Double
    var gain: Double
    var share: Double?
  }

  /// A scroll without a finger, along the axis of its longer way.
  struct Scrolling: Hashable, Sendable {
    var axis: FingerAxis
    var way: Double
    /// Where it ends, and whether it rests there.
    var end: Double
    var rests: Bool
    /// In seconds. Of a scroll in one frame 0.
    var duration: Double
    var curve = Settling.Curve.none
    /// From the act to the rest, in seconds.
    var wait: Double
    var after: StoryInstant
  }

  /// What an element changes beside its geometry.
  struct LookChange: Hashable, Sendable {
    enum End: Hashable, Sendable {
      case declared(DeclaredAnimation)
      case atOnce
      /// In so many frames, the last of them so long after the act, in seconds.
      case frames(Int, last: Double)
    }

    /// Properties of styles as scripts write them, or `text`, `value`, `checked`, `image`, `canvas`, `removed`, `svg d`.
    var what: [String]
    var end: End
    var after: StoryInstant
  }

  /// What followed a finger that the browser took. Lengths are along ``axis``, with their sign.
  struct FingerTaken: Hashable, Sendable {
    var axis: FingerAxis
    /// How far the finger had come when it was taken, and in the end.
    var taken: Double
    var way: Double
    /// How far the element had followed by then, and in the end. `nil`: nothing followed.
    var before: Double?
    var after: Double?
    /// The value of `touch-action` that leaves the finger to the page, and where it is missing.
    var remedy: String
    var selector: String
  }

  enum HandedOver: Hashable, Sendable {
    case goesOn(Estimated, kept: Estimated, by: DeclaredAnimation?)
    case unknown(String)
  }

  struct Settling: Hashable, Sendable {
    enum Curve: Hashable, Sendable {
      case none
      case spring(stiffness: Estimated, damping: Estimated, ratio: Double)
      case eased(EaseOut)
      case constant(duration: Double)
    }
    enum End: Hashable, Sendable { case rest, restBefore, recording, nextContact }

    var end: End
    var time: Double
    var after: StoryInstant
    /// In percent. `nil`: it comes back to where it was.
    var overshoot: Double?
    var beyond = 0.0
    var reach = 0.0
    var curve = Curve.none
  }

  enum Interruption: Hashable, Sendable {
    /// A declared animation takes over on the way.
    case declared(place: Double)
    case kept(Estimated, isRestart: Bool)
  }

  struct Moving: Hashable, Sendable {
    enum End: Hashable, Sendable {
      case declared(DeclaredAnimation)
      case atOnce
      case took(Double)
    }

    var way: Way?
    var fade: Fade?
    var size: Sizing?
    var turn: Double?
    var end = End.atOnce
    /// Of the motion that is an act's outcome, where it ended.
    var outcome: Outcome?

    /// Whether it does nothing but to come and go.
    var isStepped: Bool { fade?.shown != nil && way == nil && size == nil && turn == nil }
    var isNothing: Bool { way == nil && fade == nil && size == nil && turn == nil }
  }

  struct Way: Hashable, Sendable {
    var way: Double
    var across: Double
    var down: Double
  }

  struct Fade: Hashable, Sendable {
    var from: Double
    var to: Double
    /// The farthest opacity beyond both.
    var turn: Double
    /// In how many frames behind the first that changes.
    var frames: Int
    /// How long it is there, or is not, between two steps, in seconds. `nil`: it is no such change.
    var shown: Double?
  }

  enum Sizing: Hashable, Sendable {
    case unknown
    case back(from: Size2D, by: Size2D)
    /// With the point that stays, by its shares, if one does.
    case sized(from: Size2D, to: Size2D, about: Point2D?)
  }

  struct Stepping: Hashable, Sendable {
    enum When: Hashable, Sendable {
      case between, lift, end
      case act(StoryAct.Kind)
      /// As something comes that then grows.
      case arrival
    }

    var size: Double
    var isBack: Bool
    var before: Double
    var after: Double
    var when: When
  }

  /// The item that two fingers scale.
  struct Scaling: Hashable, Sendable {
    var from: Size2D
    var to: Size2D
    /// How many times as wide it is at the lift.
    var atLift: Double
    /// How many times as far the fingers are apart.
    var fingers: Double
  }

  struct Outcome: Hashable, Sendable {
    enum End: Hashable, Sendable {
      case rests, back
      case moves(isLast: Bool)
    }

    /// From where it was when the recording began.
    var x: Double
    var y: Double
    /// From where it was before the act.
    var stepX: Double
    var stepY: Double
    var end = End.rests
    var isScroll = false
    /// Of a scroller, when it rests, from the lift.
    var wait: Double?
    var items: Items?
    /// `nil`: no finger, or no way along its axis.
    var isWithFinger: Bool?
    var release: Release?
    /// Of a frame that a finger draws.
    var drawn: Drawn?

    struct Drawn: Hashable, Sendable {
      var from: Size2D
      var to: Size2D
    }

    struct Items: Hashable, Sendable {
      var steps: Int
      var count: Int
      /// The item that it rests on, from 1.
      var number: Int?
    }

    struct Release: Hashable, Sendable {
      var way: Double
      var speed: Double?
      var isStopped: Bool
    }
  }

  struct SmallChange: Hashable, Sendable {
    var channel: ElementTrack.Channel
    var change: Double
  }
}

/// The instant that a time is counted from.
enum StoryInstant: Hashable, Sendable {
  case act(StoryAct.Kind)
  /// When a click's button went down.
  case press
  case release
}
