/// The numbers of a frame's elements in memory of its own, with ``end`` after them: a walk through them needs no
/// count.
struct ElementList {
  /// Larger than each number of an element.
  static let end = Int32.max

  /// The first number, or ``end``.
  private(set) var start: UnsafeMutablePointer<Int32>
  /// Where the next number comes.
  private var next: UnsafeMutablePointer<Int32>
  private var last: Int32 = -1
  private var isAscending = true

  init() {
    start = .allocate(capacity: 1)
    start.initialize(to: ElementList.end)
    next = start
  }

  func free() { start.deallocate() }

  var count: Int { next - start }

  /// Adds a number, for which there must be room.
  @inline(__always)
  mutating func append(_ number: Int32) {
    if number < last { isAscending = false }
    last = number
    next.pointee = number
    next += 1
  }

  /// Makes it ready for a walk: puts the numbers in order, and ``end`` after them.
  mutating func finish() {
    if !isAscending {
      var numbers = UnsafeMutableBufferPointer(start: start, count: count)
      numbers.sort()
    }
    next.pointee = ElementList.end
  }

  mutating func removeAll() {
    next = start
    last = -1
    isAscending = true
  }

  func contains(_ number: Int32) -> Bool {
    UnsafeBufferPointer(start: start, count: count).contains(number)
  }

  /// Makes room for so many numbers.
  mutating func grow(to capacity: Int) {
    let count = count
    let larger = UnsafeMutablePointer<Int32>.allocate(capacity: capacity + 1)
    larger.moveInitialize(from: start, count: count)
    start.deallocate()
    start = larger
    next = larger + count
    next.initialize(to: ElementList.end)
  }
}

@available(*, unavailable, message: "it belongs to the thread that a session's frames belong to")
extension ElementList: Sendable {}
