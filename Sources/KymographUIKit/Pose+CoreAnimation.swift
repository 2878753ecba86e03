#if canImport(UIKit)
  internal import TimelineModel
  internal import UIKit

  extension Pose {
    /// Where a layout places an element.
    @MainActor init(_ attributes: UICollectionViewLayoutAttributes) {
      self.init(
        center: Point2D(attributes.center), size: Size2D(attributes.size),
        transform: ElementTransform(attributes.transform3D), alpha: Double(attributes.alpha),
        zIndex: attributes.zIndex, isHidden: attributes.isHidden)
    }

    /// The content of a layer, in the coordinates of another. `nil` while its place is not finite.
    ///
    /// Both are of one tree: presentation layers, or model layers where nothing was committed yet. A layer's z position,
    /// rounded, is the pose's z index. A layer whose anchor point is not its middle is off by as much.
    init?(_ layer: CALayer, in reference: CALayer) {
      let inReference = layer.superlayer.map { reference.convert(layer.position, from: $0) }
      self.init(
        center: Point2D(inReference ?? layer.position), size: Size2D(layer.bounds.size),
        transform: ElementTransform(layer.transform), alpha: Double(layer.opacity),
        zIndex: Int(exactly: Double(layer.zPosition).rounded()) ?? 0, isHidden: layer.isHidden)
      guard isFinite else { return nil }
    }
  }

  extension Point2D {
    init(_ point: CGPoint) { self.init(x: Double(point.x), y: Double(point.y)) }
  }

  extension Size2D {
    init(_ size: CGSize) { self.init(width: Double(size.width), height: Double(size.height)) }
  }

  extension ElementTransform {
    /// Six numbers where they suffice.
    init(_ m: CATransform3D) {
      let components = [
        m.m11, m.m12, m.m13, m.m14, m.m21, m.m22, m.m23, m.m24, m.m31, m.m32, m.m33, m.m34, m.m41,
        m.m42, m.m43, m.m44,
      ]
      self = ElementTransform(components: components.map { Double($0) }) ?? .identity
    }
  }

  extension ItemIndexPath {
    /// Where an element is.
    ///
    /// A cell's path has two numbers. One of a layout's own header has one, and a decoration's may have none: `section`
    /// and `item` of such a path end the program.
    init(_ path: IndexPath) {
      self.init(section: path.first ?? 0, item: path.dropFirst().first ?? 0)
    }
  }

  extension ElementIdentity {
    @MainActor init(_ attributes: UICollectionViewLayoutAttributes, name: String) {
      switch attributes.representedElementCategory {
      case .cell: self.init(category: .cell, id: name)
      case .supplementaryView:
        self.init(
          category: .supplementary, elementKind: attributes.representedElementKind, id: name)
      case .decorationView:
        self.init(category: .decoration, elementKind: attributes.representedElementKind, id: name)
      @unknown default: self.init(category: .decoration, elementKind: "unknown", id: name)
      }
    }
  }
#endif
