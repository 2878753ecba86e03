import TimelineModel

extension SealPrecision {
  /// What becomes of an element's numbers under the precision. Numbers beyond its range stay as they
  /// are.
  func rounded(_ change: AttributeChange) -> AttributeChange {
    switch change {
    case .changed(let element): .changed(rounded(element))
    case .same(let element): .same(rounded(element))
    case .gone: change
    }
  }

  /// The same, and keeps by how much the most changed length of a position or a size was rounded.
  func rounded(_ change: AttributeChange, largest: inout Double?) -> AttributeChange {
    guard self != .exact else { return change }
    let after = rounded(change)
    switch (change, after) {
    case (.changed(let old), .changed(let new)), (.same(let old), .same(let new)):
      let distances = [
        old.pose.center.x - new.pose.center.x, old.pose.center.y - new.pose.center.y,
        old.pose.size.width - new.pose.size.width, old.pose.size.height - new.pose.size.height,
      ]
      for distance in distances { largest = max(largest ?? 0, distance.magnitude) }
    default: break
    }
    return after
  }

  /// The same for a change as a crash journal holds it.
  func rounded(_ change: UnsafeBufferPointer<UInt64>) -> [UInt64] {
    var words = Array(change)
    guard words.count >= 10 else { return words }
    for index in 4...7 { round(&words[index], isLength: true) }
    round(&words[8], isLength: false)
    let properties = words.count == 16 ? BlockProperty.ofFlat : BlockProperty.ofSpatial
    for (index, property) in zip(10..<words.count, properties) {
      round(&words[index], isLength: property.isLength)
    }
    return words
  }

  private func round(_ word: inout UInt64, isLength: Bool) {
    let value = Double(bitPattern: word)
    word = (isLength ? length(value) : number(value)).bitPattern
  }

  private func rounded(_ element: ElementRecord) -> ElementRecord {
    guard self != .exact else { return element }
    var rounded = element
    rounded.pose.center.x = length(element.pose.center.x)
    rounded.pose.center.y = length(element.pose.center.y)
    rounded.pose.size.width = length(element.pose.size.width)
    rounded.pose.size.height = length(element.pose.size.height)
    rounded.pose.alpha = number(element.pose.alpha)
    rounded.pose.transform = transform(element.pose.transform)
    return rounded
  }

  private func transform(_ transform: ElementTransform) -> ElementTransform {
    switch transform {
    case .flat(let flat):
      return .flat(
        Transform2D(
          a: number(flat.a), b: number(flat.b), c: number(flat.c), d: number(flat.d),
          tx: length(flat.tx), ty: length(flat.ty)))
    case .spatial(let spatial):
      let numbers = zip(BlockProperty.ofSpatial, spatial.components).map {
        $0.isLength ? length($1) : number($1)
      }
      return Transform3D(components: numbers).map(ElementTransform.spatial) ?? transform
    }
  }

  /// A length in points.
  func length(_ value: Double) -> Double {
    guard self == .point1024 else { return number(value) }
    let scaled = (value * BlockCodec.fixedScale).rounded()
    guard scaled.magnitude < BlockCodec.fixedLimit else { return value }
    // The sum takes the sign from -0.0, which is no multiple that could be told from 0.
    return scaled / BlockCodec.fixedScale + 0
  }

  /// A number without a unit.
  func number(_ value: Double) -> Double {
    guard self != .exact else { return value }
    let single = Float(value)
    return single.isFinite ? Double(single) : value
  }
}
