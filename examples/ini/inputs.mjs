/**
 * Input that changes what other objects see, or what the result inherits, in ini 1.3.5. The names
 * say where the foreign name stands in it.
 */
export const polluting = {
  "a section": "[__proto__]\npolluted=1",
  "a quoted section": '["__proto__"]\npolluted=1',
  "a section with a list": "[__proto__]\npolluted[]=1",
  "a section that replaces a method": "[__proto__]\ntoString=1",
  "the first part of a section": "[__proto__.deep]\npolluted=1",
  "a part between": "[a.__proto__.deep]\npolluted=1",
  "the last part of a section": "[a.__proto__]\npolluted=1",
  "the last part, after its parent": "[a]\nb=1\n[a.__proto__]\npolluted=1",
  "a part below a list": "a[]=1\n[a.__proto__.deep]\npolluted=1",
  "a list": "__proto__[]=1",
  "a quoted list": '"__proto__[]"=1',
  "a list in a section": "[a]\n__proto__[]=1",
  "a key without a prototype to come": "__proto__=null",
  "a key with an object": `__proto__='{"polluted":1}'`,
  "a key that is a list with the name in it": `'["__proto__"]'='{"polluted":1}'`,
  "the constructor as a section": "[constructor]\npolluted=1",
  "a function of the constructor": "[constructor]\nassign=1",
  "an inherited method as a section": "[hasOwnProperty]\ncall=1",
}

/** Input as people write it, and the corners of the format that must stay as they were. */
export const ordinary = {
  nothing: "",
  "keys and values": "a=1\nb = two words \n c=3",
  "a key without a value": "flag\nempty=\nyes=true\nno=false\nnone=null",
  comments: "; one\n# two\na=1 ; rest\nb=2 # rest\nc=\\; kept \\# kept",
  sections: "top=1\n[one]\na=1\n[two]\na=2\n[one]\nb=3",
  "dotted sections": "[a.b.c]\nd=1\n[a.b]\ne=2\n[a]\nf=3\n[x.y]\nz=1",
  "escaped dots": "[a\\.b]\nc=1\n[a\\.b.c\\.d]\ne=1",
  lists: "[paths]\nlist[]=one\nlist[]=two\nlist=three\nsingle=1\nsingle[]=2",
  "short names with brackets": "[]=1\na[]=1",
  quotes: `a="x = y"\nb='single'\nc="with \\"quotes\\""\n"key = x"=1\nd="open`,
  "values of JSON": `a='{"b":[1,2]}'\n[a]\nc=1\nd="[1,2]"`,
  "a scalar in a section's place": "a=1\n[a]\nb=2\n[c]\nd=1\n[c.d]\ne=1",
  "line breaks of every kind": "a=1\r\nb=2\r\r[c]\r\nd=4\n",
  "lines that are no ini": "[open\n=nothing\n]\na=1\n[two] rest\nb==c",
  "names that look like inherited ones": "proto=1\n__proto=2\n[prototype]\n_proto_=3\n__PROTO__=4",
  "keys with inherited names": "toString=1\nconstructor=2\n[a]\nvalueOf=3",
  "other writing": "ключ=значение\n[節]\n名=値 🙂",
}

/** Objects that stringify writes, beside everything that parse gives. */
export const writable = [
  {},
  { a: 1, b: true, c: null, d: undefined, e: "" },
  { list: ["a", "b=c", "[d]"], section: { x: "y", "deeper.name": { z: " spaced " } } },
  { "key;": "value#", "[k]": "'quoted'", 'say "go"': '"' },
]
