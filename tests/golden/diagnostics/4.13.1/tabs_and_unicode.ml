let	greeting	=	"grüße"	^	1
