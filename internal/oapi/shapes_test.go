package oapi

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/idemgen/idemgen/internal/model"
)

// shapesDocument has one property for every shape that oapi-codegen gives values.
const shapesDocument = `
openapi: 3.0.3
info: {title: Shapes, version: '1'}
paths:
  /shapes/{id}:
    post:
      operationId: post_shapes
      parameters:
        - {name: id, in: path, required: true, schema: {type: string, format: uuid}}
        - {name: list, in: query, schema: {type: array, items: {type: integer}}}
        - {name: day, in: query, required: true, schema: {type: string, format: date}}
        - {name: deep, in: query, style: deepObject, schema: {type: object, properties: {x: {type: integer}, y: {type: string}}}}
        - {name: json, in: query, content: {application/json: {schema: {type: object, properties: {x: {type: integer}}}}}}
        - {name: kind, in: query, schema: {type: string, enum: [a, b]}}
        - {name: X-Rate, in: header, schema: {type: number, format: double}}
        - {name: big, in: query, schema: {type: integer, x-go-type: big.Int, x-go-type-import: {path: math/big}}}
        - {name: session, in: cookie, schema: {type: string}}
        - {name: x-both, in: header, schema: {type: string}, x-go-name: HeaderBoth}
        - {name: x-both, in: query, schema: {type: string}}
      requestBody:
        content:
          application/json:
            schema: {$ref: '#/components/schemas/All'}
      responses: {'204': {description: Done.}}
components:
  schemas:
    Sub: {type: object, required: [r], properties: {r: {type: string}, o: {type: string}}}
    Money: {type: integer, format: int64}
    When: {type: string, format: date-time}
    Color: {type: string, enum: [red, green]}
    Union: {oneOf: [{$ref: '#/components/schemas/Sub'}, {type: string}]}
    Other: {type: object, required: [r], properties: {r: {type: string}}}
    All:
      type: object
      required: ["-", runion, rraw, rbig, rstring, rint, rint64, rlist, rmap, robject, rnullable, rbytes, rnlist, rdate, ruuid, rtime]
      properties:
        rstring: {type: string}
        string: {type: string}
        rnullable: {type: string, nullable: true}
        rint: {type: integer}
        rint64: {type: integer, format: int64}
        int: {type: integer}
        int8: {type: integer, format: int8}
        uint8: {type: integer, format: uint8}
        uint: {type: integer, format: uint}
        uint64: {type: integer, format: uint64}
        number: {type: number}
        decimal: {type: number, format: decimal}
        float: {type: number, format: float}
        double: {type: number, format: double}
        bool: {type: boolean}
        date: {type: string, format: date}
        rdate: {type: string, format: date}
        time: {type: string, format: date-time}
        rtime: {type: string, format: date-time}
        uuid: {type: string, format: uuid}
        ruuid: {type: string, format: uuid}
        bytes: {type: string, format: byte}
        rbytes: {type: string, format: byte}
        binary: {type: string, format: binary}
        email: {type: string, format: email}
        duration: {type: string, format: duration}
        rawjson: {type: string, format: json}
        rlist: {type: array, items: {type: string}}
        rnlist: {type: array, nullable: true, items: {type: string}}
        list: {type: array, items: {type: string}}
        lists: {type: array, items: {type: array, items: {type: integer, format: int32}}}
        nullables: {type: array, items: {type: string, nullable: true}}
        nullobjects: {type: array, items: {type: object, nullable: true, properties: {a: {type: string}}}}
        enums: {type: array, items: {type: string, enum: [q, w]}}
        rmap: {type: object, additionalProperties: {type: string}}
        map: {type: object, additionalProperties: {type: string}}
        maplists: {type: object, additionalProperties: {type: array, items: {type: string}}}
        mapobjects: {type: object, additionalProperties: {$ref: '#/components/schemas/Sub'}}
        mapinline: {type: object, additionalProperties: {type: object, properties: {a: {type: integer}}}}
        mapnull: {type: object, additionalProperties: {type: string, nullable: true}}
        robject: {type: object, required: [a], properties: {a: {type: string}, b: {type: string}}}
        object: {type: object, properties: {a: {type: string}, deep: {type: object, properties: {z: {type: array, items: {type: string}}}}}}
        reference: {$ref: '#/components/schemas/Sub'}
        extra: {type: object, properties: {a: {type: string}}, additionalProperties: {type: string}}
        free: {type: object}
        any: {}
        money: {$ref: '#/components/schemas/Money'}
        when: {$ref: '#/components/schemas/When'}
        color: {$ref: '#/components/schemas/Color'}
        union: {$ref: '#/components/schemas/Union'}
        named: {type: string, x-go-name: Renamed}
        address: {type: string, x-go-type: netip.Addr, x-go-type-import: {path: net/netip}}
        custom: {type: string, x-go-type: int}
        own: {type: string, x-go-type: Own}
        retagged: {type: string, x-oapi-codegen-extra-tags: {json: other}}
        enumint: {type: integer, enum: [1, 2]}
        "odd.name[]": {type: string}
        "-": {type: string}
        "it's": {type: string}
        runion: {$ref: '#/components/schemas/Union'}
        unions: {type: array, items: {$ref: '#/components/schemas/Union'}}
        unionmap: {type: object, additionalProperties: {$ref: '#/components/schemas/Union'}}
        inlineunion: {oneOf: [{type: string}, {type: integer}]}
        ownunion: {type: object, properties: {a: {type: string}}, anyOf: [{$ref: '#/components/schemas/Sub'}, {type: object}]}
        discriminated: {oneOf: [{$ref: '#/components/schemas/Sub'}, {$ref: '#/components/schemas/Other'}], discriminator: {propertyName: r, mapping: {sub: '#/components/schemas/Sub'}}}
        raw: {x-go-type: json.RawMessage}
        rraw: {x-go-type: json.RawMessage}
        raws: {type: array, items: {x-go-type: json.RawMessage}}
        rawnull: {type: array, items: {type: object, nullable: true, x-go-type: json.RawMessage}}
        big: {type: integer, x-go-type: big.Int, x-go-type-import: {path: math/big}}
        rbig: {type: integer, x-go-type: big.Int, x-go-type-import: {path: math/big}}
        bigint: {type: integer, format: bigint}
        combined: {allOf: [{$ref: '#/components/schemas/Sub'}, {type: object, properties: {extra: {type: string}}}]}
`

// shapesResolver resolves single values of the document above.
func shapesResolver(t *testing.T) func(in string, n *model.Node) (string, *resolver) {
	t.Helper()
	pkg := generated(t, shapesDocument, annotated("POST", "/shapes/{id}", "post_shapes"))
	m, ok := pkg.method("POST", "/shapes/{id}", "post_shapes")
	if !ok {
		t.Fatal("no method")
	}
	return func(in string, n *model.Node) (string, *resolver) {
		r := &resolver{pkg: pkg, route: "POST /shapes/{id}", request: m, imports: map[string]bool{}}
		code := r.fingerprint(&model.Operation{ContentTypes: jsonBody}, model.Fingerprint{Version: 1, Roots: []*model.Node{root(in, model.Object, n)}})
		var b strings.Builder
		for _, root := range code.Roots {
			renderMember(&b, "", root)
		}
		return b.String(), r
	}
}

type shape struct {
	in   string
	node *model.Node
	want string
}

// shapes are the values that can take part, and what is written for them.
func shapes() []shape {
	text := func(name string) *model.Node { return node(name, model.String) }
	return []shape{
		{"body", text("rstring"), `
h.Field("body.rstring")
h.String(body.Rstring)`},
		{"body", text("string"), `
h.Field("body.string")
if v := body.String; v != nil {
	h.String(*v)
} else {
	h.Absent()
}`},
		{"body", text("rnullable"), `
h.Field("body.rnullable")
if v := body.Rnullable; v != nil {
	h.String(*v)
} else {
	h.Absent()
}`},
		{"body", node("rint", model.Integer), `
h.Field("body.rint")
h.Int(int64(body.Rint))`},
		{"body", node("rint64", model.Integer), `
h.Field("body.rint64")
h.Int(body.Rint64)`},
		{"body", withDefault("-7", node("int", model.Integer)), `
h.Field("body.int")
if v := body.Int; v != nil {
	h.Int(int64(*v))
} else {
	h.Int(-7)
}`},
		{"body", node("int8", model.Integer), `
h.Field("body.int8")
if v := body.Int8; v != nil {
	h.Int(int64(*v))
} else {
	h.Absent()
}`},
		{"body", node("uint8", model.Integer), `
h.Field("body.uint8")
if v := body.Uint8; v != nil {
	h.Int(int64(*v))
} else {
	h.Absent()
}`},
		{"body", node("uint64", model.Integer), `
h.Field("body.uint64")
if v := body.Uint64; v != nil {
	h.BigInt(new(big.Int).SetUint64(*v))
} else {
	h.Absent()
}`},
		{"body", node("uint", model.Integer), `
h.Field("body.uint")
if v := body.Uint; v != nil {
	h.BigInt(new(big.Int).SetUint64(uint64(*v)))
} else {
	h.Absent()
}`},
		{"body", withDefault("0.1", withFormat("float", node("float", model.Number))), `
h.Field("body.float")
if v := body.Float; v != nil {
	h.Float(float64(*v))
} else {
	h.Float(0.10000000149011612)
}`},
		{"body", withDefault("1e3", withFormat("double", node("double", model.Number))), `
h.Field("body.double")
if v := body.Double; v != nil {
	h.Float(*v)
} else {
	h.Float(1000)
}`},
		{"body", withDefault("true", node("bool", model.Boolean)), `
h.Field("body.bool")
if v := body.Bool; v != nil {
	h.Bool(*v)
} else {
	h.Bool(true)
}`},
		{"body", node("rdate", model.Date), `
h.Field("body.rdate")
h.Date(body.Rdate.Time)`},
		{"body", withDefault(`"2024-02-29"`, node("date", model.Date)), `
h.Field("body.date")
if v := body.Date; v != nil {
	h.Date(v.Time)
} else {
	h.Date(time.Unix(1709164800, 0).UTC())
}`},
		{"body", node("rtime", model.Instant), `
h.Field("body.rtime")
h.Time(body.Rtime)`},
		{"body", withDefault(`"2024-02-29T01:00:00.5+01:00"`, node("time", model.Instant)), `
h.Field("body.time")
if v := body.Time; v != nil {
	h.Time(*v)
} else {
	h.Time(time.Unix(1709164800, 500000000).UTC())
}`},
		{"body", node("ruuid", model.UUID), `
h.Field("body.ruuid")
h.UUID(body.Ruuid)`},
		{"body", withDefault(`"00112233-4455-6677-8899-AABBCCDDEEFF"`, node("uuid", model.UUID)), `
h.Field("body.uuid")
if v := body.Uuid; v != nil {
	h.UUID(*v)
} else {
	h.UUID([16]byte{0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff})
}`},
		{"body", node("rbytes", model.Bytes), `
h.Field("body.rbytes")
if v := body.Rbytes; v != nil {
	h.Bytes(v)
} else {
	h.Absent()
}`},
		{"body", withDefault(`"AP8="`, node("bytes", model.Bytes)), `
h.Field("body.bytes")
if v := body.Bytes; v != nil {
	h.Bytes(*v)
} else {
	h.Bytes([]byte("\x00\xff"))
}`},
		{"body", withDefault(`"a\"b\n`+"`"+`"`, node("email", model.String)), `
h.Field("body.email")
if v := body.Email; v != nil {
	h.String(string(*v))
} else {
	h.String("a\"b\n` + "`" + `")
}`},
		{"body", node("rlist", model.List, text("")), `
h.Field("body.rlist")
if v := body.Rlist; v != nil {
	h.List(len(v))
	for _, v := range v {
		h.String(v)
	}
} else {
	h.Absent()
}`},
		{"body", node("rnlist", model.List, text("")), `
h.Field("body.rnlist")
if v := body.Rnlist; v != nil {
	h.List(len(*v))
	for _, v := range *v {
		h.String(v)
	}
} else {
	h.Absent()
}`},
		{"body", withDefault(`["x", null]`, node("list", model.List, text(""))), `
h.Field("body.list")
if v := body.List; v != nil {
	h.List(len(*v))
	for _, v := range *v {
		h.String(v)
	}
} else {
	h.List(2)
	h.String("x")
	h.Absent()
}`},
		{"body", node("lists", model.List, node("", model.List, node("", model.Integer))), `
h.Field("body.lists")
if v := body.Lists; v != nil {
	h.List(len(*v))
	for _, v := range *v {
		if v := v; v != nil {
			h.List(len(v))
			for _, v := range v {
				h.Int(int64(v))
			}
		} else {
			h.Absent()
		}
	}
} else {
	h.Absent()
}`},
		{"body", node("nullables", model.List, withDefault(`"never"`, text(""))), `
h.Field("body.nullables")
if v := body.Nullables; v != nil {
	h.List(len(*v))
	for _, v := range *v {
		if v := v; v != nil {
			h.String(*v)
		} else {
			h.Absent()
		}
	}
} else {
	h.Absent()
}`},
		{"body", node("nullobjects", model.List, node("", model.Object, text("a"))), `
h.Field("body.nullobjects")
if v := body.Nullobjects; v != nil {
	h.List(len(*v))
	for _, v := range *v {
		if v := v; v != nil {
			h.Field("a")
			if v := v.A; v != nil {
				h.String(*v)
			} else {
				h.Absent()
			}
		} else {
			h.Absent()
		}
	}
} else {
	h.Absent()
}`},
		{"body", node("enums", model.List, text("")), `
h.Field("body.enums")
if v := body.Enums; v != nil {
	h.List(len(*v))
	for _, v := range *v {
		h.String(string(v))
	}
} else {
	h.Absent()
}`},
		{"body", node("rmap", model.Map, text("")), `
h.Field("body.rmap")
if v := body.Rmap; v != nil {
	h.Map(len(v))
	for _, key := range slices.Sorted(maps.Keys(v)) {
		v := (v)[key]
		h.Key(key)
		h.String(v)
	}
} else {
	h.Absent()
}`},
		{"body", withDefault(`{"b": "2", "a": "1"}`, node("map", model.Map, text(""))), `
h.Field("body.map")
if v := body.Map; v != nil {
	h.Map(len(*v))
	for _, key := range slices.Sorted(maps.Keys(*v)) {
		v := (*v)[key]
		h.Key(key)
		h.String(v)
	}
} else {
	h.Map(2)
	h.Key("a")
	h.String("1")
	h.Key("b")
	h.String("2")
}`},
		{"body", node("maplists", model.Map, node("", model.List, text(""))), `
h.Field("body.maplists")
if v := body.Maplists; v != nil {
	h.Map(len(*v))
	for _, key := range slices.Sorted(maps.Keys(*v)) {
		v := (*v)[key]
		h.Key(key)
		if v := v; v != nil {
			h.List(len(v))
			for _, v := range v {
				h.String(v)
			}
		} else {
			h.Absent()
		}
	}
} else {
	h.Absent()
}`},
		{"body", node("mapobjects", model.Map, node("", model.Object, text("o"), text("r"))), `
h.Field("body.mapobjects")
if v := body.Mapobjects; v != nil {
	h.Map(len(*v))
	for _, key := range slices.Sorted(maps.Keys(*v)) {
		v := (*v)[key]
		h.Key(key)
		h.Field("o")
		if v := v.O; v != nil {
			h.String(*v)
		} else {
			h.Absent()
		}
		h.Field("r")
		h.String(v.R)
	}
} else {
	h.Absent()
}`},
		{"body", node("mapinline", model.Map, node("", model.Object, node("a", model.Integer))), `
h.Field("body.mapinline")
if v := body.Mapinline; v != nil {
	h.Map(len(*v))
	for _, key := range slices.Sorted(maps.Keys(*v)) {
		v := (*v)[key]
		h.Key(key)
		h.Field("a")
		if v := v.A; v != nil {
			h.Int(int64(*v))
		} else {
			h.Absent()
		}
	}
} else {
	h.Absent()
}`},
		{"body", node("mapnull", model.Map, text("")), `
h.Field("body.mapnull")
if v := body.Mapnull; v != nil {
	h.Map(len(*v))
	for _, key := range slices.Sorted(maps.Keys(*v)) {
		v := (*v)[key]
		h.Key(key)
		if v := v; v != nil {
			h.String(*v)
		} else {
			h.Absent()
		}
	}
} else {
	h.Absent()
}`},
		{"body", node("robject", model.Object, text("a"), text("b")), `
h.Field("body.robject.a")
h.String(body.Robject.A)
h.Field("body.robject.b")
if v := body.Robject.B; v != nil {
	h.String(*v)
} else {
	h.Absent()
}`},
		{"body", node("object", model.Object, withDefault(`"x"`, text("a")), node("deep", model.Object, node("z", model.List, text("")))), `
if v := body.Object; v != nil {
	h.Field("body.object.a")
	if v := v.A; v != nil {
		h.String(*v)
	} else {
		h.String("x")
	}
	if v := v.Deep; v != nil {
		h.Field("body.object.deep.z")
		if v := v.Z; v != nil {
			h.List(len(*v))
			for _, v := range *v {
				h.String(v)
			}
		} else {
			h.Absent()
		}
	} else {
		h.Skip("body.object.deep.z")
	}
} else {
	h.Skip("body.object.a", "body.object.deep.z")
}`},
		{"body", node("extra", model.Object, text("a")), `
if v := body.Extra; v != nil {
	h.Field("body.extra.a")
	if v := v.A; v != nil {
		h.String(*v)
	} else {
		h.Absent()
	}
} else {
	h.Skip("body.extra.a")
}`},
		{"body", node("money", model.Integer), `
h.Field("body.money")
if v := body.Money; v != nil {
	h.Int(*v)
} else {
	h.Absent()
}`},
		{"body", node("when", model.Instant), `
h.Field("body.when")
if v := body.When; v != nil {
	h.Time(*v)
} else {
	h.Absent()
}`},
		{"body", text("color"), `
h.Field("body.color")
if v := body.Color; v != nil {
	h.String(string(*v))
} else {
	h.Absent()
}`},
		{"body", node("enumint", model.Integer), `
h.Field("body.enumint")
if v := body.Enumint; v != nil {
	h.Int(int64(*v))
} else {
	h.Absent()
}`},
		{"body", text("named"), `
h.Field("body.named")
if v := body.Renamed; v != nil {
	h.String(*v)
} else {
	h.Absent()
}`},
		{"body", text("odd.name[]"), `
h.Field("body.odd.name[]")
if v := body.OddName; v != nil {
	h.String(*v)
} else {
	h.Absent()
}`},
		{"body", node("combined", model.Object, text("extra"), text("r")), `
if v := body.Combined; v != nil {
	h.Field("body.combined.extra")
	if v := v.Extra; v != nil {
		h.String(*v)
	} else {
		h.Absent()
	}
	h.Field("body.combined.r")
	h.String(v.R)
} else {
	h.Skip("body.combined.extra", "body.combined.r")
}`},
		{"body", nullableNode(node("runion", model.JSON)), `
h.Field("body.runion")
h.JSON(body.Runion.union)`},
		{"body", node("union", model.JSON), `
h.Field("body.union")
if v := body.Union; v != nil {
	h.JSON(v.union)
} else {
	h.Absent()
}`},
		{"body", node("unions", model.List, nullableNode(node("", model.JSON))), `
h.Field("body.unions")
if v := body.Unions; v != nil {
	h.List(len(*v))
	for _, v := range *v {
		h.JSON(v.union)
	}
} else {
	h.Absent()
}`},
		{"body", node("unionmap", model.Map, nullableNode(node("", model.JSON))), `
h.Field("body.unionmap")
if v := body.Unionmap; v != nil {
	h.Map(len(*v))
	for _, key := range slices.Sorted(maps.Keys(*v)) {
		v := (*v)[key]
		h.Key(key)
		h.JSON(v.union)
	}
} else {
	h.Absent()
}`},
		{"body", node("inlineunion", model.JSON), `
h.Field("body.inlineunion")
if v := body.Inlineunion; v != nil {
	h.JSON(v.union)
} else {
	h.Absent()
}`},
		{"body", node("ownunion", model.JSON), `
h.Field("body.ownunion")
if v := body.Ownunion; v != nil {
	h.JSON(v.union)
} else {
	h.Absent()
}`},
		{"body", node("discriminated", model.JSON), `
h.Field("body.discriminated")
if v := body.Discriminated; v != nil {
	h.JSON(v.union)
} else {
	h.Absent()
}`},
		{"body", withDefault(`{"b":[1.50,null],"a":"<"}`, node("raw", model.JSON)), `
h.Field("body.raw")
if v := body.Raw; v != nil {
	h.JSON(*v)
} else {
	h.JSON([]byte("{\"a\":\"\\u003c\",\"b\":[1.50,null]}"))
}`},
		{"body", nullableNode(node("rraw", model.JSON)), `
h.Field("body.rraw")
h.JSON(body.Rraw)`},
		{"body", nullableNode(withFormat("json", node("rawjson", model.JSON))), `
h.Field("body.rawjson")
h.JSON(body.Rawjson)`},
		{"body", node("raws", model.List, nullableNode(node("", model.JSON))), `
h.Field("body.raws")
if v := body.Raws; v != nil {
	h.List(len(*v))
	for _, v := range *v {
		h.JSON(v)
	}
} else {
	h.Absent()
}`},
		{"body", node("rawnull", model.List, node("", model.JSON)), `
h.Field("body.rawnull")
if v := body.Rawnull; v != nil {
	h.List(len(*v))
	for _, v := range *v {
		if v := v; v != nil {
			h.JSON(*v)
		} else {
			h.Absent()
		}
	}
} else {
	h.Absent()
}`},
		{"body", withDefault("7", node("big", model.Integer)), `
h.Field("body.big")
if v := body.Big; v != nil {
	h.BigInt(v)
} else {
	h.Int(7)
}`},
		{"body", node("rbig", model.Integer), `
h.Field("body.rbig")
h.BigInt(&body.Rbig)`},
		{"body", withFormat("bigint", node("bigint", model.Integer)), `
h.Field("body.bigint")
if v := body.Bigint; v != nil {
	h.Int(int64(*v))
} else {
	h.Absent()
}`},
		{"path", node("id", model.UUID), `
h.Field("path.id")
h.UUID(request.Id)`},
		{"query", node("list", model.List, node("", model.Integer)), `
h.Field("query.list")
if v := request.Params.List; v != nil {
	h.List(len(*v))
	for _, v := range *v {
		h.Int(int64(v))
	}
} else {
	h.Absent()
}`},
		{"query", node("day", model.Date), `
h.Field("query.day")
h.Date(request.Params.Day.Time)`},
		{"query", node("deep", model.Object, node("x", model.Integer)), `
if v := request.Params.Deep; v != nil {
	h.Field("query.deep.x")
	if v := v.X; v != nil {
		h.Int(int64(*v))
	} else {
		h.Absent()
	}
} else {
	h.Skip("query.deep.x")
}`},
		{"query", node("json", model.Object, node("x", model.Integer)), `
if v := request.Params.Json; v != nil {
	h.Field("query.json.x")
	if v := v.X; v != nil {
		h.Int(int64(*v))
	} else {
		h.Absent()
	}
} else {
	h.Skip("query.json.x")
}`},
		{"query", text("kind"), `
h.Field("query.kind")
if v := request.Params.Kind; v != nil {
	h.String(string(*v))
} else {
	h.Absent()
}`},
		{"header", withFormat("double", node("x-rate", model.Number)), `
h.Field("header.x-rate")
if v := request.Params.XRate; v != nil {
	h.Float(*v)
} else {
	h.Absent()
}`},
		{"header", text("X-Both"), `
h.Field("header.X-Both")
if v := request.Params.HeaderBoth; v != nil {
	h.String(*v)
} else {
	h.Absent()
}`},
		{"query", text("x-both"), `
h.Field("query.x-both")
if v := request.Params.XBoth; v != nil {
	h.String(*v)
} else {
	h.Absent()
}`},
		{"cookie", text("session"), `
h.Field("cookie.session")
if v := request.Params.Session; v != nil {
	h.String(*v)
} else {
	h.Absent()
}`},
	}
}

func TestResolveShapes(t *testing.T) {
	resolve := shapesResolver(t)
	for _, test := range shapes() {
		t.Run(test.in+"."+test.node.Name, func(t *testing.T) {
			got, r := resolve(test.in, test.node)
			if err := r.out.Err(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.TrimPrefix(test.want, "\n")+"\n", got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestResolveRefusesShapes(t *testing.T) {
	text := func(name string) *model.Node { return node(name, model.String) }
	tests := []struct {
		in   string
		node *model.Node
		want string
	}{
		{
			"body", node("number", model.Number),
			`body.number is a number without a format, which oapi-codegen decodes to float32: numbers that differ become one; set format: double, send it as a string or an integer, or list body.number under ignore`,
		},
		{
			"body", withFormat("decimal", node("decimal", model.Number)),
			`body.decimal is a number with format: decimal, which oapi-codegen decodes to float32: numbers that differ become one; set format: double, send it as a string or an integer, or list body.decimal under ignore`,
		},
		{
			"body", text("binary"),
			`body.binary is binary, which JSON cannot carry as it is; set format: byte, or list body.binary under ignore`,
		},
		{
			"body", withFormat("duration", text("duration")),
			`body.duration is decoded to types.Duration, into which idemgen cannot see; set x-go-type: string, or list body.duration under ignore`,
		},
		{
			"body", text("rawjson"),
			`body.rawjson is decoded to json.RawMessage, into which idemgen cannot see; set x-go-type: string, or list body.rawjson under ignore`,
		},
		{
			"body", text("-"),
			`body.- is in the document, but not in the generated PostShapesJSONRequestBody: it has no field for "-"; take x-oapi-codegen-extra-tags and x-go-json-ignore from it, or list body.- under ignore`,
		},
		{
			"body", text("it's"),
			`body.it's has a name that encoding/json does not take from a tag: the member is never read; rename it, or list body.it's under ignore`,
		},
		{
			"body", nullableNode(node("raw", model.JSON)),
			`body.raw is of type *json.RawMessage in the generated Go, which loses the null that the document does not; take x-go extensions from it, or list body.raw under ignore`,
		},
		{
			"body", node("rraw", model.JSON),
			`body.rraw is of type json.RawMessage in the generated Go, which keeps the null that the document does not; take x-go extensions from it, or list body.rraw under ignore`,
		},
		{
			"body", nullableNode(text("string")),
			`body.string is of type *string in the generated Go, which loses the null that the document does not; take x-go extensions from it, or list body.string under ignore`,
		},
		{
			"query", node("big", model.Integer),
			`query.big is a parameter of type big.Int, to which oapi-codegen binds nothing: all values would look alike; take x-go-type from it, or list query.big under ignore`,
		},
		{
			"body", node("any", model.Object),
			`body.any is free-form JSON, in which decoding merges numbers that differ; describe it with a schema, or list body.any under ignore`,
		},
		{
			"body", node("free", model.Map, text("")),
			`body.free is free-form JSON, in which decoding merges numbers that differ; describe its values with additionalProperties, or list body.free under ignore`,
		},
		{
			"body", node("string", model.JSON),
			`body.string is raw JSON in the document, but string in the generated Go; take x-go-type from it, or list body.string under ignore`,
		},
		{
			"body", text("address"),
			`body.address is decoded to netip.Addr, into which idemgen cannot see; set x-go-type: string, or list body.address under ignore`,
		},
		{
			"body", text("custom"),
			`body.custom is a string in the document, but int in the generated Go; take x-go-type from it, or list body.custom under ignore`,
		},
		{
			"body", text("own"),
			`body.own is of a Go type that is not among the generated ones; take x-go-type from it, or list body.own under ignore`,
		},
		{
			"body", text("retagged"),
			`body.retagged is in the document, but not in the generated PostShapesJSONRequestBody: it has no field for "retagged"; take x-oapi-codegen-extra-tags and x-go-json-ignore from it, or list body.retagged under ignore`,
		},
		{
			"body", text("nowhere"),
			`body.nowhere is in the document, but not in the generated PostShapesJSONRequestBody: it has no field for "nowhere"; take x-oapi-codegen-extra-tags and x-go-json-ignore from it, or list body.nowhere under ignore`,
		},
		{
			"body", node("string", model.Integer),
			`body.string is an integer in the document, but string in the generated Go; take x-go-type from it, or list body.string under ignore`,
		},
		{
			"body", node("string", model.List, text("")),
			`body.string is a list in the document, but string in the generated Go; take x-go-type from it, or list body.string under ignore`,
		},
		{
			"body", node("rlist", model.Map, text("")),
			`body.rlist is a map in the document, but []string in the generated Go; take x-go-type from it, or list body.rlist under ignore`,
		},
		{
			"body", node("rmap", model.Object, text("a")),
			`body.rmap is an object in the document, but map[string]string in the generated Go; take x-go-type from it, or list body.rmap under ignore`,
		},
		{
			"body", node("extra", model.Map, text("")),
			`body.extra is a map in the document, but All_Extra in the generated Go; take x-go-type from it, or list body.extra under ignore`,
		},
		{
			"body", withFormat("int64", node("double", model.Integer)),
			`body.double is an integer in the document, but float64 in the generated Go; take x-go-type from it, or list body.double under ignore`,
		},
		{
			"body", node("time", model.Date),
			`body.time is a string with format: date in the document, but time.Time in the generated Go; take x-go-type from it, or list body.time under ignore`,
		},
		{
			"body", node("string", model.Bytes),
			`body.string is a string with format: byte in the document, but string in the generated Go; take x-go-type from it, or list body.string under ignore`,
		},
		{
			"query", text("nowhere"),
			`query.nowhere is in the document, but not in the generated PostShapesParams: it has no field for "nowhere"; take x-oapi-codegen-extra-tags and x-go-json-ignore from it, or list query.nowhere under ignore`,
		},
		{
			"body", withDefault(`[]`, node("object", model.Object, text("a"))),
			`body.object has the default [], which idemgen cannot apply: it is no object; mend the default, or list body.object under ignore`,
		},
		{
			"body", withDefault(`1.5`, node("int", model.Integer)),
			`body.int has the default 1.5, which idemgen cannot apply: it is no integer of 64 bits; mend the default, or list body.int under ignore`,
		},
		{
			"body", withDefault(`1e99999999`, node("int", model.Integer)),
			`body.int has the default 1e99999999, which idemgen cannot apply: it is no integer of 64 bits; mend the default, or list body.int under ignore`,
		},
		{
			"body", withDefault(`"x"`, node("int", model.Integer)),
			`body.int has the default "x", which idemgen cannot apply: it is not an integer; mend the default, or list body.int under ignore`,
		},
		{
			"body", withDefault(`1e999`, withFormat("double", node("double", model.Number))),
			`body.double has the default 1e999, which idemgen cannot apply: it is out of range; mend the default, or list body.double under ignore`,
		},
		{
			"body", withDefault(`"29.2.2024"`, node("date", model.Date)),
			`body.date has the default "29.2.2024", which idemgen cannot apply: it is no date; mend the default, or list body.date under ignore`,
		},
		{
			"body", withDefault(`"2024-02-29"`, node("time", model.Instant)),
			`body.time has the default "2024-02-29", which idemgen cannot apply: it is no date-time with an offset; mend the default, or list body.time under ignore`,
		},
		{
			"body", withDefault(`"0011"`, node("uuid", model.UUID)),
			`body.uuid has the default "0011", which idemgen cannot apply: it is no UUID; mend the default, or list body.uuid under ignore`,
		},
		{
			"body", withDefault(`"%"`, node("bytes", model.Bytes)),
			`body.bytes has the default "%", which idemgen cannot apply: it is not base64; mend the default, or list body.bytes under ignore`,
		},
		{
			"body", withDefault(`"x"`, node("list", model.List, text(""))),
			`body.list has the default "x", which idemgen cannot apply: it is no array; mend the default, or list body.list under ignore`,
		},
		{
			"body", withDefault(`[]`, node("map", model.Map, text(""))),
			`body.map has the default [], which idemgen cannot apply: it is no object; mend the default, or list body.map under ignore`,
		},
		{
			"body", withDefault(`[1]`, node("nullobjects", model.List, node("", model.Object, text("a")))),
			`body.nullobjects has the default [1], which idemgen cannot apply: it is no object; mend the default, or list body.nullobjects under ignore`,
		},
	}
	resolve := shapesResolver(t)
	for _, test := range tests {
		t.Run(test.in+"."+test.node.Name+" as "+string(test.node.Kind), func(t *testing.T) {
			_, r := resolve(test.in, test.node)
			if diff := cmp.Diff("api.yaml:9:7: POST /shapes/{id}: "+test.want, r.out.Error()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
