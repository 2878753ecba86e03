import MotionMeasures
import TimelineModel
import TimelineSession

/// What a fact says, in numbers and names. ``Wording`` has the sentences. Lengths are in the session's unit, times in seconds.
enum StoryDetail: Hashable, Sendable {
  /// A number alone.
  case none
  case easing(DeclaredAnimation)
  // What follows a finger.
  case restarts(DeclaredAnimation)
  case nothingFollows
  case moreFollow(Int)
  case scrolls(deadZone: Double)
  case scrollsNatively(way: Double, end: Double, wait: Double)
  case follows(Following)
  case followsScroll(ScrollFollowing)
  case deadZone(Double)
  case pickup(Estimated, isAhead: Bool)
  case leak(Estimated, along: FingerAxis, way: Double)
  // The release and the settle.
  case speedUnknown
  case fingerStopped
  case stays
  case scrollRests(offset: Double, wait: Double)
  case flickCancelled(speed: Double)
  case handOver(letGo: Estimated, HandedOver)
  case settle(Settling)
  case interrupted(speed: Double, by: StoryAct.Kind, Interruption)
  // What answers.
  case noReaction(StoryAct.Kind)
  case starts(wait: Double, after: StoryInstant)
  case moves(Moving)
  case linear(duration: Double)
  case movesUnlessReduced(way: Double)
  // Steps.
  case jump(Stepping)
  case flash(shown: Double, next: Double)
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

  struct Following: Hashable, Sendable {
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

  struct ScrollFollowing: Hashable, Sendable {
    var scroller: String
    /// In frames.
    var lag: Estimated
    var frame: Double
    var gain: Double
    var share: Double?
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
    }

    var size: Double
    var isBack: Bool
    var before: Double
    var after: Double
    var when: When
  }

  struct SmallChange: Hashable, Sendable {
    var channel: ElementTrack.Channel
    var change: Double
  }
}

/// What a time is counted from.
enum StoryInstant: Hashable, Sendable {
  case act(StoryAct.Kind)
  /// When a click's button went down.
  case press
  case release
}
