import MotionMeasures
package import TimelineModel
import TimelineSession

/// What an element or a scroller of a story did, frame by frame, as a curve.
package struct StoryCurve: Sendable {
  /// Why the story tells of it, the most important first.
  package enum Role: String, Sendable {
    /// A finger drives it.
    case subject
    /// Something is wrong with it.
    case fault
    case other
  }

  /// The element or scroller as recorded.
  package let name: String
  package let role: Role
  /// What the values are, in words.
  package let attribute: String
  /// `pt`, `px`, `°`, or `1` for a number without a unit.
  package let unit: String
  /// The frames' instants in seconds of the session, rising, and the values. Of a way from where it was at first.
  package let times: [Double]
  package let values: [Double]
  /// What fingers did with a subject, by time. Empty of others.
  package internal(set) var drags: [StoryDrag] = []
}

/// How a subject of a story followed one contact and went on from it. All instants are seconds of the session, all places
/// values of the subject's curve.
package struct StoryDrag: Sendable {
  /// The number of the contact, which is down from ``start`` to ``lift``.
  package let contact: Int
  package let start: Double
  package let lift: Double
  /// The unit of lengths.
  let unit: String
  /// Along which axis the finger drives.
  package let isAcross: Bool
  /// The first and the last frame of the drive.
  package let first: Double
  package let last: Double
  /// Where the subject was in these.
  package let home: Double
  package let place: Double
  /// The frame in which half of the way was done, and where the subject was then.
  package let middle: (time: Double, value: Double)
  /// When the subject came to rest after the lift. `nil`: it stayed, or it is not known.
  package internal(set) var rest: Double?
  /// The spring by which it came to rest. `nil`: it did not, or by another curve.
  package internal(set) var spring: StorySpring?
  /// How far behind the finger it was, in seconds.
  package internal(set) var lag: Estimated?
  /// The finger's speed at the lift, and the one with which the subject goes on, in points per second. `nil` of the latter:
  /// it is not known whether it goes on at all.
  package internal(set) var letGo: Estimated?
  package internal(set) var goesOn: Estimated?
  /// Which share of the speed is kept.
  package internal(set) var kept: Estimated?

  /// The lag in words: `16 ms (14 to 20)`.
  package var lagInWords: String? { lag.map(Wording.lag) }

  /// The speeds in words.
  package var speedsInWords: [String] { Wording.speeds(self) }
}

/// The spring by which a subject comes to rest, of mass 1.
package struct StorySpring: Hashable, Sendable {
  /// The first and the last frame of the settle, in seconds of the session.
  package let start: Double
  package let end: Double
  /// Where it comes to rest, and how far from there it is at ``start``, in values of the subject's curve.
  package let target: Double
  package let distance: Double
  /// The speed at ``start``, in values of the curve per second.
  package let velocity: Double
  /// In 1/s².
  package let stiffness: Double
  /// In 1/s.
  package let damping: Double

  init(_ spring: FreeSpring, from start: Double, to end: Double) {
    (self.start, self.end, target) = (start, end, spring.target)
    distance = spring.value(at: start) - spring.target
    velocity = spring.velocity(at: start)
    (stiffness, damping) = (spring.stiffness.value, spring.damping.value)
  }

  /// The spring in words: `spring: stiffness 260, damping 27.0`.
  package var words: String {
    Wording.spring(stiffness: stiffness, damping: damping)
  }
}

extension StoryDrag {
  /// A drag of which the drive alone is known. `nil`: it is not one contact's.
  init?(_ act: StoryAct, _ drive: ClosedRange<Int>, in film: StoryFilm, _ values: [Double]) {
    guard let contact = act.contact?.number else { return nil }
    self.contact = contact
    unit = film.unit
    (start, lift, isAcross) = (act.start, act.lift, act.axis == .x)
    (first, last) = (film.times[drive.lowerBound], film.times[drive.upperBound])
    let (home, place) = (values[drive.lowerBound], values[drive.upperBound])
    let half = drive.first { abs(values[$0] - home) >= abs(place - home) / 2 } ?? drive.lowerBound
    (self.home, self.place) = (home, place)
    middle = (film.times[half], values[half])
  }
}

extension StoryTeller {
  /// So many curves are kept.
  private static let mostKept = 8

  /// Keeps what is known of a subject's drag, in the curve of the subject.
  mutating func keepDrag(of follower: Follower, _ act: StoryAct) {
    guard let drag else { return }
    self.drag = nil
    let attribute = Wording.wayOf(scroller: follower.isScroller, along: act.axis)
    if let place = driven.firstIndex(where: {
      $0.name == follower.name && $0.attribute == attribute
    }) {
      driven[place].drags.append(drag)
    } else {
      driven.append(
        StoryCurve(
          name: follower.name, role: .subject, attribute: attribute, unit: film.unit,
          times: film.times,
          values: follower.values, drags: [drag]))
    }
  }

  /// The curves of subjects, and of the elements of facts in the order in which these are told.
  func curves(of facts: [StoryFact]) -> [StoryCurve] {
    var curves = Array(driven.prefix(Self.mostKept))
    for fact in facts where fact.isElement && curves.count < Self.mostKept {
      guard let item = items.first(where: { $0.name == fact.subject }) else { continue }
      let curve = self.curve(of: item, for: fact)
      let isKnown = curves.contains { known in
        known.name == curve.name && (known.attribute == curve.attribute || !fact.isFault)
      }
      if !isKnown { curves.append(curve) }
    }
    return curves
  }

  /// The channel of an element that a fact is about, else the one in which it changes most.
  private func curve(of item: ElementTrack, for fact: StoryFact) -> StoryCurve {
    func change(_ channel: ElementTrack.Channel) -> Double {
      item.values(channel).extent / channel.range
    }
    let most = ElementTrack.Channel.allCases.max { change($0) < change($1) } ?? .x
    let channel: ElementTrack.Channel = fact.kind == .flash ? .alpha : most
    let values = item.values(channel)
    let isAngle = channel == .angle
    return StoryCurve(
      name: item.name, role: fact.isFault ? .fault : .other, attribute: Wording.words(channel),
      unit: channel == .alpha ? "1" : isAngle ? "°" : film.unit, times: film.times,
      values: isAngle ? values.map { $0 * 180 / .pi } : values)
  }
}
