import TimelineModel

/// Text on its way out, handed on in large pieces.
final class ExportText {
  private var bytes: [UInt8] = []
  private let output: ([UInt8]) throws -> Void
  private var failure: (any Error)?
  /// Bytes that are kept before they are handed on.
  private static let capacity = 1 << 16

  init(_ output: @escaping ([UInt8]) throws -> Void) {
    self.output = output
    bytes.reserveCapacity(2 * ExportText.capacity)
  }

  /// Appends text as it is. What the output refuses is thrown by the next ``check()``.
  func put(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    if bytes.count >= ExportText.capacity { flush() }
  }

  /// Appends a whole number.
  func put(_ integer: Int64) { put(String(integer)) }

  /// Appends the shortest digits that are read back as the same number. Null where it is not finite.
  func put(_ number: Double) { put(FieldValue.jsonNumber(number)) }

  /// Appends a text in quotes, as JSON has it.
  func quote(_ text: String) { put(FieldValue.text(text).json) }

  private func flush() {
    guard failure == nil, !bytes.isEmpty else { return bytes.removeAll(keepingCapacity: true) }
    do {
      try output(bytes)
    } catch {
      failure = error
    }
    bytes.removeAll(keepingCapacity: true)
  }

  /// Ends a long export early when its output takes no more.
  func check() throws {
    if let failure { throw failure }
  }

  /// Hands on what is left.
  func finish() throws {
    flush()
    try check()
  }
}

extension ExportText {
  /// Appends `"name":` of an object's field, with a comma before it unless it is the first.
  func name(_ name: StaticString) { put(",\"\(name)\":") }

  /// Appends a pair `[a,b]`.
  func pair(_ first: Double, _ second: Double) {
    put("[")
    put(first)
    put(",")
    put(second)
    put("]")
  }
}

/// Tells how far an export is.
final class ExportSteps {
  private let total: Int64
  private let progress: (Double) -> Void
  private var count: Int64 = 0
  /// Rows between two reports: fine enough for a bar, and too few to cost anything.
  private static let stride: Int64 = 256

  init(total: Int64, _ progress: @escaping (Double) -> Void) {
    self.total = total
    self.progress = progress
  }

  /// One more row.
  func take() {
    count += 1
    guard total > 0, count % ExportSteps.stride == 0 else { return }
    progress(min(1, Double(count) / Double(total)))
  }
}

/// What every format writes with.
struct ExportWork {
  let export: SessionExport
  let text: ExportText
  let losses: LossCounter
  let steps: ExportSteps
}

/// What has the means to write.
protocol ExportWriter {
  var work: ExportWork { get }
}

extension ExportWriter {
  var export: SessionExport { work.export }
  var text: ExportText { work.text }
  var losses: LossCounter { work.losses }
  var steps: ExportSteps { work.steps }

  /// A number or a text as JSON.
  func json(_ number: Double) -> String { FieldValue.jsonNumber(number) }
  func json(_ text: String) -> String { FieldValue.text(text).json }
}
