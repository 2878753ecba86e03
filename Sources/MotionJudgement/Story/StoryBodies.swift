import TimelineModel
import TimelineSession

/// Elements that move together, as one body: their places and sizes change alike in every frame.
struct StoryBodies {
  /// What is nearer than this is alike, in points: a browser rounds each box by itself.
  private static let near = 1.0
  /// So many bodies are looked for. Elements of others are told one by one.
  private static let most = 64

  /// The body of each element that has one with others.
  private var numbers: [String: Int] = [:]
  /// The elements of each body, in the order of people.
  private(set) var members: [[String]] = []
  /// The element whose items they all are. `nil`: none is known.
  private var parents: [String?] = []

  /// None.
  init() {}

  /// - Parameter rows: What is known of the items of a page.
  init(_ items: [ElementTrack], rows: [StoryRow]) {
    var found: [[ElementTrack]] = []
    for item in items {
      if let place = found.firstIndex(where: { Self.isAlike($0[0], item) }) {
        found[place].append(item)
      } else if found.count < Self.most {
        found.append([item])
      }
    }
    for body in found where body.count > 1 {
      let names = body.map(\.name)
      for name in names { numbers[name] = members.count }
      members.append(Wording.inOrder(names))
      parents.append(
        rows.first { row in names.allSatisfy(row.moving.contains) }?.parent)
    }
  }

  private static func isAlike(_ one: ElementTrack, _ other: ElementTrack) -> Bool {
    for channel in [ElementTrack.Channel.x, .y, .width, .height] {
      let (left, right) = (one.values(channel), other.values(channel))
      guard let first = left.first, let second = right.first, left.count == right.count else {
        return false
      }
      let limit = near
      guard left.indices.allSatisfy({ abs(left[$0] - first - right[$0] + second) < limit }) else {
        return false
      }
    }
    // What fades or turns otherwise does something else.
    for channel in [ElementTrack.Channel.angle, .alpha] {
      guard
        zip(one.values(channel), other.values(channel)).allSatisfy({
          abs($0 - $1) < channel.range
        })
      else { return false }
    }
    // What grows with its content grows around it. What moves alike on another carrier goes another way.
    return one.carrier == other.carrier || max(one.width.extent, one.height.extent) > near
  }

  /// The number of an element's body. `nil`: it moves alone.
  func number(of name: String) -> Int? { numbers[name] }

  /// The name that somebody would call an element's body by: that of the element whose items move. `nil`: none is known.
  func name(of element: String) -> String? {
    guard let body = numbers[element], let parent = parents[body] else { return nil }
    return "\(Wording.name(parent)) (\(members[body].count) items)"
  }

  /// The element that stands for some: one that has a name of its own.
  static func leader(of names: [String]) -> String? {
    names.first { !$0.contains("#") && !$0.contains(".") } ?? names.first
  }
}
